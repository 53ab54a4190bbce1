import type { Outcome } from "./outcome.ts";

/** Each in a cookie of its own, so that neither two answers at a time nor two actions in a row lose anything. */
export const outcomeCookie = ({ kind, to }: Pick<Outcome, "kind" | "to">, word: string, about = "") => ({
  name: `${kind}_${to}_${makeUpId()}`,
  value: about ? `${word}.${encodeURIComponent(about)}` : word,
});

/** No UUID: on a page that is not secure a browser makes up none. */
const makeUpId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(4)), (byte) => byte.toString(16).padStart(2, "0")).join("");
