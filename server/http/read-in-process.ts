import { handleCall, getCallerHeaders, describeAttempt, type Gate, type IncomingCall } from "./handle-call.ts";
import type { CallScope } from "./call-scope.ts";
import type { Caller, Route } from "./endpoint.ts";

/** A read that a page makes from the API in the same process. */
export type Reading = {
  /** As in its contract, with parameter names in braces. */
  path: string;
  params: Record<string, string>;
  query: Record<string, string>;
  /** By their names in lower case. */
  headers: Record<string, string>;
};

/** The response that HTTP would send, before it is encoded. */
type ReadResult = { status: number; body: unknown; headers: Record<string, string> };

/**
 * Answers pages' reads without creating a request and a response for each. A page makes a dozen reads, and creating
 * those took as long as its database queries. Checks, counts and errors are the same as over HTTP. Writes, files and
 * streams still use HTTP.
 */
export function openReads(routes: Route[], gate: Gate) {
  const reads = new Map(routes.filter(isRead).map((route) => [route.endpoint.path as string, route]));

  return async function read({ path, ...given }: Reading, scope: CallScope): Promise<ReadResult> {
    const route = reads.get(path);
    if (!route) return { status: 404, body: undefined, headers: {} };
    const incoming = toIncomingCall(given, scope);
    let caller: Caller | undefined;
    try {
      const { answer } = await handleCall(incoming, route, gate, (known) => (caller = known));
      return { status: 200, body: answer, headers: getCallerHeaders(caller) };
    } catch (thrown) {
      if (!(thrown instanceof Error)) throw thrown;
      const attempt = describeAttempt(incoming, ["GET", fillPath(path, given.params)], caller);
      const error = gate.explain(thrown, undefined, attempt);
      return { status: error.status, body: error.toJSON(), headers: { ...getCallerHeaders(caller), ...error.headers } };
    }
  };
}

const isRead = ({ endpoint: { mediaType, method, streams } }: Route) => method === "GET" && !mediaType && !streams;

const toIncomingCall = ({ headers, params, query }: Omit<Reading, "path">, scope: CallScope): IncomingCall => ({
  scope,
  clientAddress: scope.clientAddress,
  header: (name) => headers[name],
  headers: () => headers,
  params: () => params,
  query: () => query,
  bytes: async () => new ArrayBuffer(0),
});

/** Replaces the parameters of a path with their values. */
export const fillPath = (path: string, params: Record<string, string>) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "");
