import { use } from "react";
import { UNSAFE_useScrollRestoration as useScrollRestoration } from "react-router";
import { NonceContext } from "./nonce-context.ts";

/** Does nothing on the server. */
const useRestoredScroll: () => void = import.meta.env.SSR ? () => undefined : useScrollRestoration;

/**
 * Restores the scroll position of a page, as the router's own `ScrollRestoration` does. That one makes its script again
 * for each page, and sends it to browsers that have already run it.
 */
export function RestoreScroll() {
  useRestoredScroll();
  const script = { __html: import.meta.env.SSR ? SCRIPT : "" };
  return <script nonce={use(NonceContext)} suppressHydrationWarning dangerouslySetInnerHTML={script} />;
}

/**
 * Restores the position when a page is reloaded, before the router has started, from the positions that the router
 * keeps. The router keeps them by a key in each history entry, except for the one that a document begins with: this
 * script adds that key.
 */
const SCRIPT = `{let{key}=history.state||{},place
if(!key){key=Math.random().toString(36).slice(2);history.replaceState({...history.state,key},"")}
try{place=JSON.parse(sessionStorage["react-router-scroll-positions"])[key]}catch{}
if(place)scrollTo(0,place)}`;
