import { use } from "react";
import { UNSAFE_useScrollRestoration as useScrollRestoration } from "react-router";
import { NonceContext } from "./nonce-context.ts";

/** On the server there is nothing to follow. */
const useRestoredScroll: () => void = import.meta.env.SSR ? () => undefined : useScrollRestoration;

/**
 * Leads back to where a page was scrolled to, as the router's own `ScrollRestoration` does. That one makes its script
 * anew for each page, and brings it to browsers that have run it by then.
 */
export function RestoreScroll() {
  useRestoredScroll();
  const script = { __html: import.meta.env.SSR ? SCRIPT : "" };
  return <script nonce={use(NonceContext)} suppressHydrationWarning dangerouslySetInnerHTML={script} />;
}

/** A page that is loaded again is there at once, before the router is: by the places that the router keeps. */
const SCRIPT = `{let s="react-router-scroll-positions",h=history;if(!h.state||!h.state.key)h.replaceState({key:Math.random().toString(32).slice(2)},"");try{let y=JSON.parse(sessionStorage.getItem(s)||"{}")[h.state.key];if(typeof y=="number")scrollTo(0,y)}catch(e){console.error(e);sessionStorage.removeItem(s)}}`;
