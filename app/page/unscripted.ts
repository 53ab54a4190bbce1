import { createContext } from "react";

/** Whether the page that the server renders works without scripts and is sent without any. Browsers do not use it. */
export const UnscriptedContext = /* @__PURE__ */ createContext(false);

/** Returns whether one of the routes that make up a page has `{ unscripted: true }` as its `handle`. */
export const isUnscripted = (routes: readonly { handle?: unknown }[]): boolean =>
  routes.some(({ handle }) => typeof handle === "object" && handle !== null && "unscripted" in handle);
