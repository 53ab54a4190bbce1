import { createContext } from "react";

/** Whether the page that the server renders works without scripts, and is sent without any. Browsers never ask. */
export const UnscriptedContext = /* @__PURE__ */ createContext(false);

/** Whether one of the routes that make up a page says so: its `handle` is `{ unscripted: true }`. */
export const isUnscripted = (routes: readonly { handle?: unknown }[]): boolean =>
  routes.some(({ handle }) => typeof handle === "object" && handle !== null && "unscripted" in handle);
