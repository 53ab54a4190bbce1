import { createContext, use } from "react";
import type { EntryContext } from "react-router";
import { NonceContext } from "./nonce-context.ts";

/** The script that starts the page that the server renders. Browsers do not use it. */
export const StartContext = /* @__PURE__ */ createContext("");

/**
 * Adds the script that starts the page. A browser has run it before it hydrates the page, so its bundle leaves it out.
 */
export function StartScript() {
  const script = { __html: import.meta.env.SSR ? use(StartContext) : "" };
  return <script nonce={use(NonceContext)} suppressHydrationWarning dangerouslySetInnerHTML={script} />;
}

/**
 * Waits for the first paint, or for a moment after its frame if the browser does not report paints. A hidden page is
 * not painted, and starts at once.
 */
const SEEN = `document.hidden||await new Promise(seen=>{
new PerformanceObserver(seen).observe({type:"paint",buffered:true});
requestAnimationFrame(()=>setTimeout(seen,100));
document.addEventListener("visibilitychange",seen,{once:true})});`;

type Manifest = EntryContext["manifest"];

/**
 * Starts the page as the router's own `Scripts` would, but requests no module before the page is visible: modules weigh
 * several times what it takes to show the page, and would compete with its styles and fonts. If they fail to load, the
 * page is as it is without scripts (base.css), and shows nothing that would not react to a press.
 */
export function startScript({ manifest, serverHandoffString, staticHandlerContext }: EntryContext): string {
  const ids = staticHandlerContext.matches.map(({ route }) => route.id);
  return `{let c=window.__reactRouterContext=${serverHandoffString};
c.stream=new ReadableStream({start(s){c.streamController=s}}).pipeThrough(new TextEncoderStream())}
${findLoading(manifest, ids)}`;
}

/**
 * The loading script for each set of routes that makes up a page. It is the same for everyone; there are about thirty.
 */
const known = /* @__PURE__ */ new WeakMap<Manifest, Map<string, string>>();

function findLoading(manifest: Manifest, ids: string[]): string {
  const loadings = known.get(manifest) ?? new Map<string, string>();
  known.set(manifest, loadings);
  const key = ids.join(" ");
  const loading = loadings.get(key) ?? makeLoading(manifest, ids);
  loadings.set(key, loading);
  return loading;
}

function makeLoading({ entry, hmr, routes: all, url }: Manifest, wanted: string[]): string {
  const routes = wanted.flatMap((id) => all[id] ?? []);
  const modules = routes.map((route) =>
    [
      route.clientActionModule,
      route.clientLoaderModule,
      route.clientMiddlewareModule,
      route.hydrateFallbackModule,
      route.module,
    ].filter((part) => part !== undefined),
  );
  const imported = routes.flatMap((route) => route.imports ?? []);
  const files = new Set([url, entry.module, ...entry.imports, ...modules.flat(), ...imported]);
  const ids = routes.map(({ id }) => id);
  return `(async()=>{${SEEN}
for(let href of ${JSON.stringify([...files])})document.head.append(Object.assign(document.createElement("link"),{rel:"modulepreload",href}));
${hmr?.runtime ? `await import(${JSON.stringify(hmr.runtime)});` : ""}let load=async files=>Object.assign({},...await Promise.all(files.map(file=>import(file)))),
[,...modules]=await Promise.all([[${JSON.stringify(url)}],...${JSON.stringify(modules)}].map(load));
window.__reactRouterRouteModules=Object.fromEntries(${JSON.stringify(ids)}.map((id,i)=>[id,modules[i]]));
await import(${JSON.stringify(entry.module)})})().catch(error=>{document.documentElement.dataset.outdated="";throw error})`;
}
