import { Hono, type Context } from "hono";
import { AppError } from "../errors.ts";
import type { Logger } from "../log/log.ts";
import {
  handleCall,
  getCallerHeaders,
  describeAttempt,
  type HandledCall,
  type Gate,
  type IncomingCall,
} from "./handle-call.ts";
import type { CallScope } from "./call-scope.ts";
import type { Caller, Route } from "./endpoint.ts";
import { respondWithEvents } from "./event-stream.ts";
import { FileResponse } from "./static/file-response.ts";

export type ApiBindings = { scope?: CallScope };
/** Over HTTP, a call uses the log and the client address of its request. */
export type ApiEnv = { Bindings: ApiBindings; Variables: { log?: Logger; clientAddress?: string; caller?: Caller } };

/** Mounts routes on a Hono app. Checks the key, the caller and the input; responds with JSON, a file or events. */
export function mountRoutes(routes: Route[], gate: Gate): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  const paths = new Map<string, string[]>();
  for (const route of routes) {
    const { method, path: pattern } = route.endpoint;
    const path = pattern.replaceAll(/\{(\w+)\}/g, ":$1");
    // Hono answers HEAD requests with the handler of GET.
    const methods = method === "GET" ? ["GET", "HEAD"] : [method];
    paths.set(path, [...(paths.get(path) ?? []), ...methods]);
    app.on(method, path, async (c) => {
      const answered = await handleCall(toIncomingCall(c), route, gate, (caller) => c.set("caller", caller));
      return toResponse(c, answered, (error) => void gate.explain(error, c.get("log")));
    });
  }
  for (const [path, methods] of paths) app.all(path, () => refuseMethod(methods));
  app.onError((error, c) => {
    const caller = c.get("caller");
    const attempt = describeAttempt(toIncomingCall(c), [c.req.method, c.req.path], caller);
    return describe(gate.explain(error, c.get("log"), attempt).toResponse(), caller);
  });
  return app;
}

const toIncomingCall = (c: Context<ApiEnv>): IncomingCall => ({
  scope: c.env?.scope,
  clientAddress: c.env?.scope?.clientAddress ?? c.get("clientAddress") ?? "",
  header: (name) => c.req.header(name),
  headers: () => c.req.header(),
  params: () => c.req.param(),
  query: () => c.req.query(),
  bytes: () => c.req.arrayBuffer(),
});

function toResponse(c: Context, { answer, caller }: HandledCall, report: (error: Error) => void): Response {
  const response = startResponse(c, answer, report);
  response.headers.set("Cache-Control", "no-store");
  return describe(response, caller);
}

/** Adds the headers that depend on the caller. A refusal has them, too: its call may have renewed the session. */
function describe(response: Response, caller: Caller | undefined): Response {
  for (const [name, value] of Object.entries(getCallerHeaders(caller))) response.headers.set(name, value);
  return response;
}

function startResponse(c: Context, answer: unknown, report: (error: Error) => void): Response {
  if (answer instanceof FileResponse) return answer.toResponse(report);
  return answer instanceof ReadableStream ? respondWithEvents(answer) : c.json(answer);
}

function refuseMethod(methods: string[]): never {
  throw new AppError("METHOD_NOT_ALLOWED", "That method is not allowed here.", {
    headers: { Allow: methods.join(", ") },
  });
}
