/** Whether one of the routes that make up a page says that it works without scripts: its `handle` is `{ unscripted: true }`. */
export const isUnscripted = (matches: readonly { handle?: unknown }[]): boolean =>
  matches.some(({ handle }) => typeof handle === "object" && handle !== null && "unscripted" in handle);
