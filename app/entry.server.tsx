import { PassThrough } from "node:stream";
import { createReadableStreamFromReadable } from "@react-router/node";
import { isbot } from "isbot";
import { renderToPipeableStream, renderToString } from "react-dom/server";
import {
  isRouteErrorResponse,
  ServerRouter,
  type EntryContext,
  type RouterContext,
  type RouterContextProvider,
} from "react-router";
import { handOffScripts, readHandOff } from "./hand-off.ts";
import { createRenderedPages } from "./rendered-pages.ts";
import { NonceContext } from "./page/nonce-context.ts";
import { requestContext } from "./page/request-context.ts";

/** How long a loader may defer its data, in milliseconds. */
export const streamTimeout = 5_000;

type Facts = typeof requestContext extends RouterContext<infer Value> ? Value : never;

/** Renders a page: at once when its data is there, which costs least, and as a stream when a loader deferred some. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (request.method === "HEAD") return new Response(null, { status, headers });

  const facts = loadContext.get(requestContext);
  if (!defersData(routerContext)) {
    const data = await readHandOff(routerContext.serverHandoffStream);
    const whole = await renderWhole(request, routerContext, data, facts);
    if (whole !== undefined) return new Response(Buffer.from(whole), { status, headers });
    routerContext.serverHandoffStream = new Response(data).body ?? undefined;
  }
  const { body, failed } = await renderStream(request, routerContext, facts);
  return new Response(body, { status: failed ? 500 : status, headers });
}

/** Whether a loader returned a promise among its data. */
function defersData({ staticHandlerContext }: EntryContext): boolean {
  return Object.values(staticHandlerContext.loaderData).some(
    (loaded: unknown) =>
      typeof loaded === "object" && loaded !== null && Object.values(loaded).some((value) => value instanceof Promise),
  );
}

const page = (url: string, context: EntryContext, nonce: string) => (
  <NonceContext value={nonce}>
    <ServerRouter context={context} url={url} nonce={nonce} />
  </NonceContext>
);

/** Where a part of the page had to wait for something, such as for its code. */
const SUSPENDED = "<!--$!-->";

const rendered = createRenderedPages();

/**
 * One pass over the page, then the loaders' data for hydration: ServerRouter would wait for that data in the middle of
 * rendering, and rendering as a stream costs about a third more. Undefined when a part of the page has to wait.
 */
async function renderWhole({ url, method }: Request, routerContext: EntryContext, data: string, facts: Facts) {
  const { nonce, oneTime = [] } = facts;
  const canKeep = facts.oneTime && method === "GET" && !routerContext.staticHandlerContext.errors;
  const known = canKeep && rendered.find(url, data, oneTime);
  if (typeof known === "string") return known;

  const { serverHandoffStream: _, ...context } = routerContext;
  const html = `<!DOCTYPE html>${renderToString(page(url, context, nonce))}`;
  if (html.includes(SUSPENDED)) return undefined;
  const end = html.lastIndexOf("</body>");
  const whole = html.slice(0, end) + handOffScripts(data, nonce) + html.slice(end);
  if (canKeep) rendered.keep(url, data, oneTime, whole);
  return whole;
}

type Streamed = { body: ReadableStream; failed: boolean };

function renderStream(request: Request, routerContext: EntryContext, facts: Facts): Promise<Streamed> {
  return new Promise((resolve, reject) => {
    let sent = false;
    let failed = false;
    const send = () => {
      sent = true;
      const through = new PassThrough();
      pipe(through);
      resolve({ body: createReadableStreamFromReadable(through), failed });
    };
    const { pipe, abort } = renderToPipeableStream(page(request.url, routerContext, facts.nonce), {
      nonce: facts.nonce,
      // Robots read what comes first, so they wait for everything.
      ...(isbot(request.headers.get("User-Agent")) ? { onAllReady: send } : { onShellReady: send }),
      onShellError: reject,
      onError(error) {
        failed = true;
        // An error in the shell rejects, and the router reports it; a later one has no other way out.
        if (sent) report(error, facts);
      },
    });
    // Gives up on deferred data a little after the router has, so that its error boundaries are still sent.
    setTimeout(() => abort(), streamTimeout + 1_000).unref();
  });
}

/** Errors of loaders, actions and rendering; not the refusals among them, nor what follows from a reader who has left. */
export function handleError(error: unknown, { request, context }: HandleErrorArgs) {
  if (!request.signal.aborted && !isRouteErrorResponse(error)) report(error, context.get(requestContext));
}

type HandleErrorArgs = { request: Request; context: Readonly<RouterContextProvider> };

function report(error: unknown, { reportError }: Facts) {
  // oxlint-disable-next-line no-console -- the last resort, when nobody else listens
  (reportError ?? console.error)(error);
}
