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
import { injectStaticHtml, createStaticHtmlInjector, type StaticHtml } from "./page/static-html.ts";
import { NonceContext } from "./page/nonce-context.ts";
import { requestContext } from "./page/request-context.ts";
import { StartContext, startScript } from "./page/start-script.tsx";
import { isUnscripted, UnscriptedContext } from "./page/unscripted.ts";
import { GuardedContext } from "./ui/guard.tsx";

/** How long a loader may defer its data, in milliseconds. */
export const streamTimeout = 5_000;

type Facts = typeof requestContext extends RouterContext<infer Value> ? Value : never;

/** Renders a page: at once if its data is there, which costs least, or as a stream if a loader has deferred some. */
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
    if (html !== undefined) return respondWhole(html, facts, { status, headers });
    return new Response(await renderStream(request, context, facts), { status, headers });
  }
  const alone = listStaticHtml(routerContext, facts);
  if (!defersData(routerContext)) {
    const data = await readHandOff(routerContext.serverHandoffStream);
    const whole = await renderWhole(request, routerContext, data, facts);
    if (whole !== undefined) return respondWhole(injectStaticHtml(whole, alone), facts, { status, headers });
    routerContext.serverHandoffStream = new Response(data).body ?? undefined;
  }
  return new Response(await renderStream(request, routerContext, facts, alone), { status, headers });
}

function respondWhole(html: string, { takeWhole }: Facts, init: ResponseInit): Response {
  const document = Buffer.from(html);
  takeWhole?.(document);
  return new Response(takeWhole ? null : document, init);
}

/** Returns whether the page has no scripts. Nothing then takes the data that its loaders hand over. */
const hasNoScripts = ({ staticHandlerContext }: Pick<EntryContext, "staticHandlerContext">): boolean =>
  isUnscripted(staticHandlerContext.matches.map(({ route }) => route));

/**
 * Lists the HTML outside React. The notice is on the sidebar's pages, except for the status page, which says it all. An
 * error page has no link preview.
 */
function listStaticHtml({ staticHandlerContext }: EntryContext, { head, notice }: Facts): StaticHtml {
  const { errors, location, matches } = staticHandlerContext;
  const isNotified = location.pathname !== "/status" && matches.some(({ route }) => route.id === "shell");
  return { head: errors ? undefined : head, body: isNotified && notice ? drawNotice(notice) : undefined };
}

/** Returns whether a loader returned a promise among its data. */
function defersData({ staticHandlerContext }: EntryContext): boolean {
  return Object.values(staticHandlerContext.loaderData).some(
    (loaded: unknown) =>
      typeof loaded === "object" && loaded !== null && Object.values(loaded).some((value) => value instanceof Promise),
  );
}

type RenderOptions = { nonce: string; guarded: boolean };

/**
 * Keeps only the routes that make up the page. Otherwise the router would set up every route it knows for each page.
 */
const withItsRoutes = (context: EntryContext): EntryContext => ({
  ...context,
  manifest: {
    ...context.manifest,
    routes: Object.fromEntries(
      context.staticHandlerContext.matches.map(({ route }) => [route.id, context.manifest.routes[route.id]]),
    ),
  },
});

const page = (url: string, context: EntryContext, { nonce, guarded }: RenderOptions) => (
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

/** Marks a part of the page that had to wait for something, such as its code. */
const SUSPENDED = "<!--$!-->";

const rendered = createRenderedPages();

/**
 * Renders the page in one pass, and adds the loaders' data for hydration. ServerRouter would wait for that data in the
 * middle of rendering, and rendering as a stream costs about a third more. Returns undefined if a part of the page has
 * to wait or cannot be rendered.
 */
async function renderWhole({ url, method }: Request, routerContext: EntryContext, data: string, facts: Facts) {
  const { nonce, requestId, oneTime = [] } = facts;
  const isCacheable = facts.oneTime && method === "GET" && !routerContext.staticHandlerContext.errors;
  const known = isCacheable ? rendered.find(url, data.replaceAll(requestId, ANY_ID), oneTime) : {};
  if (known.html !== undefined) return handOver(known.html, data, nonce);

  const { serverHandoffStream: _, ...context } = routerContext;
  const html = tryToRender(page(url, context, { nonce, guarded: false }));
  if (html === undefined || html.includes(SUSPENDED)) return undefined;
  // Clients may choose their ids, such as words that are in every page. A document with the id in it is not kept.
  if (known.store && !html.includes(requestId)) known.store(html);
  return handOver(html, data, nonce);
}

/** Replaces a request's id. It cannot occur in encoded data. */
const ANY_ID = "\u0000id\u0000";

function handOver(html: string, data: string, nonce: string): string {
  const end = html.lastIndexOf("</body>");
  return html.slice(0, end) + handOffScript(data, nonce) + html.slice(end);
}

/**
 * Returns undefined if rendering fails. The page is then rendered again in guarded parts, which report what goes wrong.
 */
function tryToRender(whole: ReactNode): string | undefined {
  try {
    return `<!DOCTYPE html>${renderToString(whole)}`;
  } catch {
    return undefined;
  }
}

/**
 * Renders in guarded parts (ui/guard.tsx). A part that cannot be rendered, or comes too late, affects no other part.
 */
function renderStream(
  request: Request,
  routerContext: EntryContext,
  facts: Facts,
  alone: StaticHtml = {},
): Promise<ReadableStream> {
  return new Promise((resolve, reject) => {
    const options = { nonce: facts.nonce, guarded: true };
    const errors: unknown[] = [];
    let sent = false;
    const send = () => {
      sent = true;
      for (const error of errors) report(error, facts);
      const through = createStaticHtmlInjector(alone);
      pipe(through);
      resolve(createReadableStreamFromReadable(through));
    };
    // The router sends the loaders' data only after its own `Scripts`, which ours replace.
    routerContext.renderMeta = { ...routerContext.renderMeta, didRenderScripts: true };
    const { pipe, abort } = renderToPipeableStream(page(request.url, routerContext, options), {
      nonce: facts.nonce,
      // Sends every part in its place, however long. By default, a script would move the later ones there.
      progressiveChunkSize: Infinity,
      // Bots read what comes first, so they wait for everything.
      ...(isbot(request.headers.get("User-Agent")) ? { onAllReady: send } : { onShellReady: send }),
      onShellError: reject,
      onError(error) {
        // Errors that follow from a reader who has left are nobody's mistake.
        if (request.signal.aborted) return;
        // An error outside all parts rejects, and the router reports it. An error in a part has no other way out.
        if (sent) report(error, facts);
        else errors.push(error);
      },
    });
    // Gives up on deferred data a little after the router has, so that its error boundaries are still sent.
    setTimeout(() => abort(), streamTimeout + 1_000).unref();
  });
}

/**
 * Reports the errors of loaders, actions and rendering, but not refusals, nor what follows from a reader who has left.
 */
export function handleError(error: unknown, { request, context }: HandleErrorArgs) {
  if (!request.signal.aborted && !isRouteErrorResponse(error)) report(error, context.get(requestContext));
}

type HandleErrorArgs = { request: Request; context: Readonly<RouterContextProvider> };

function report(error: unknown, { reportError }: Facts) {
  // oxlint-disable-next-line no-console -- the last resort, when nobody else listens
  (reportError ?? console.error)(error);
}
