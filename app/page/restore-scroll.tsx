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

/**
 * A page that is loaded again is there at once, before the router is: by the places that the router keeps. It gives
 * each entry of the history a key for that, but for the one that a document begins with.
 */
const SCRIPT = `{let{key}=history.state||{},place
if(!key){key=Math.random().toString(36).slice(2);history.replaceState({...history.state,key},"")}
try{place=JSON.parse(sessionStorage["react-router-scroll-positions"])[key]}catch{}
if(place)scrollTo(0,place)}`;
