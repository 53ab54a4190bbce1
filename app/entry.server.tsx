import { createReadableStreamFromReadable } from "@react-router/node";
import { isbot } from "isbot";
import type { ReactNode } from "react";
import { renderToPipeableStream, renderToString } from "react-dom/server";
import {
  isRouteErrorResponse,
  ServerRouter,
  type EntryContext,
  type RouterContext,
  type RouterContextProvider,
} from "react-router";
import { handOffScript, readHandOff } from "./hand-off.ts";
import { createRenderedPages } from "./rendered-pages.ts";
import { drawNotice } from "./frame/status-notice.ts";
import { addHtml, createHtmlAdder, type HtmlAlone } from "./page/html-alone.ts";
import { NonceContext } from "./page/nonce-context.ts";
import { requestContext } from "./page/request-context.ts";
import { StartContext, startScript } from "./page/start-script.tsx";
import { isUnscripted, UnscriptedContext } from "./page/unscripted.ts";
import { GuardedContext } from "./ui/guard.tsx";

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
  if (hasNoScripts(routerContext)) {
    const { serverHandoffStream: _, ...context } = routerContext;
    const html = tryToRender(page(request.url, context, { nonce: facts.nonce, guarded: false }));
    if (html !== undefined) return answerWhole(html, facts, { status, headers });
    return new Response(await renderStream(request, context, facts), { status, headers });
  }
  const alone = listHtmlAlone(routerContext, facts);
  if (!defersData(routerContext)) {
    const data = await readHandOff(routerContext.serverHandoffStream);
    const whole = await renderWhole(request, routerContext, data, facts);
    if (whole !== undefined) return answerWhole(addHtml(whole, alone), facts, { status, headers });
    routerContext.serverHandoffStream = new Response(data).body ?? undefined;
  }
  return new Response(await renderStream(request, routerContext, facts, alone), { status, headers });
}

function answerWhole(html: string, { takeWhole }: Facts, init: ResponseInit): Response {
  const document = Buffer.from(html);
  takeWhole?.(document);
  return new Response(takeWhole ? null : document, init);
}

/** Whether the page has no scripts: then nothing takes the data that its loaders hand over. */
const hasNoScripts = ({ staticHandlerContext }: Pick<EntryContext, "staticHandlerContext">): boolean =>
  isUnscripted(staticHandlerContext.matches.map(({ route }) => route));

/** The notice stands within the sidebar's pages, but for the one that says it all. What is no page shows no link. */
function listHtmlAlone({ staticHandlerContext }: EntryContext, { head, notice }: Facts): HtmlAlone {
  const { errors, location, matches } = staticHandlerContext;
  const isNotified = location.pathname !== "/status" && matches.some(({ route }) => route.id === "shell");
  return { head: errors ? undefined : head, body: isNotified && notice ? drawNotice(notice) : undefined };
}

/** Whether a loader returned a promise among its data. */
function defersData({ staticHandlerContext }: EntryContext): boolean {
  return Object.values(staticHandlerContext.loaderData).some(
    (loaded: unknown) =>
      typeof loaded === "object" && loaded !== null && Object.values(loaded).some((value) => value instanceof Promise),
  );
}

type Look = { nonce: string; guarded: boolean };

/** For each page the router draws up every route that it is told of: those that make up the page are enough. */
const withItsRoutes = (context: EntryContext): EntryContext => ({
  ...context,
  manifest: {
    ...context.manifest,
    routes: Object.fromEntries(
      context.staticHandlerContext.matches.map(({ route }) => [route.id, context.manifest.routes[route.id]]),
    ),
  },
});

const page = (url: string, context: EntryContext, { nonce, guarded }: Look) => (
  <NonceContext value={nonce}>
    <GuardedContext value={guarded}>
      <UnscriptedContext value={hasNoScripts(context)}>
        <StartContext value={startScript(context)}>
          <ServerRouter context={withItsRoutes(context)} url={url} nonce={nonce} />
        </StartContext>
      </UnscriptedContext>
    </GuardedContext>
  </NonceContext>
);

/** Where a part of the page had to wait for something, such as for its code. */
const SUSPENDED = "<!--$!-->";

const rendered = createRenderedPages();

/**
 * One pass over the page, then the loaders' data for hydration: ServerRouter would wait for that data in the middle of
 * rendering, and rendering as a stream costs about a third more. Undefined when a part of the page has to wait, or
 * cannot be drawn.
 */
async function renderWhole({ url, method }: Request, routerContext: EntryContext, data: string, facts: Facts) {
  const { nonce, requestId, oneTime = [] } = facts;
  const canKeep = facts.oneTime && method === "GET" && !routerContext.staticHandlerContext.errors;
  const known = canKeep ? rendered.find(url, data.replaceAll(requestId, ANY_ID), oneTime) : {};
  if (known.html !== undefined) return handOver(known.html, data, nonce);

  const { serverHandoffStream: _, ...context } = routerContext;
  const html = tryToRender(page(url, context, { nonce, guarded: false }));
  if (html === undefined || html.includes(SUSPENDED)) return undefined;
  // Clients may make up their ids, such as words that stand in every page: what is kept has none.
  if (known.keep && !html.includes(requestId)) known.keep(html);
  return handOver(html, data, nonce);
}

/** In place of a request's id: what cannot stand in encoded data. */
const ANY_ID = "\u0000id\u0000";

function handOver(html: string, data: string, nonce: string): string {
  const end = html.lastIndexOf("</body>");
  return html.slice(0, end) + handOffScript(data, nonce) + html.slice(end);
}

/** Undefined where rendering fails: it is tried again in guarded parts, and what goes wrong is reported then. */
function tryToRender(whole: ReactNode): string | undefined {
  try {
    return `<!DOCTYPE html>${renderToString(whole)}`;
  } catch {
    return undefined;
  }
}

/** In guarded parts (ui/guard.tsx): what cannot be drawn, or comes too late, is the matter of its part alone. */
function renderStream(
  request: Request,
  routerContext: EntryContext,
  facts: Facts,
  alone: HtmlAlone = {},
): Promise<ReadableStream> {
  return new Promise((resolve, reject) => {
    const look = { nonce: facts.nonce, guarded: true };
    const errors: unknown[] = [];
    let sent = false;
    const send = () => {
      sent = true;
      for (const error of errors) report(error, facts);
      const through = createHtmlAdder(alone);
      pipe(through);
      resolve(createReadableStreamFromReadable(through));
    };
    // The router sends the loaders' data only after its own `Scripts`, in whose place we have ours.
    routerContext.renderMeta = { ...routerContext.renderMeta, didRenderScripts: true };
    const { pipe, abort } = renderToPipeableStream(page(request.url, routerContext, look), {
      nonce: facts.nonce,
      // Every part in its place, however long: by default a script would put the later ones there.
      progressiveChunkSize: Infinity,
      // Robots read what comes first, so they wait for everything.
      ...(isbot(request.headers.get("User-Agent")) ? { onAllReady: send } : { onShellReady: send }),
      onShellError: reject,
      onError(error) {
        // What follows from a reader who has left is nobody's mistake.
        if (request.signal.aborted) return;
        // An error outside of all parts rejects, and the router reports it; one in a part has no other way out.
        if (sent) report(error, facts);
        else errors.push(error);
      },
    });
    // Gives up on deferred data a little after the router has, so that its error boundaries are still sent.
    setTimeout(() => abort(), streamTimeout + 1_000).unref();
  });
}

/**
 * Errors of loaders, actions and rendering; not the refusals among them, nor what follows from a reader who has left.
 */
export function handleError(error: unknown, { request, context }: HandleErrorArgs) {
  if (!request.signal.aborted && !isRouteErrorResponse(error)) report(error, context.get(requestContext));
}

type HandleErrorArgs = { request: Request; context: Readonly<RouterContextProvider> };

function report(error: unknown, { reportError }: Facts) {
  // oxlint-disable-next-line no-console -- the last resort, when nobody else listens
  (reportError ?? console.error)(error);
}
