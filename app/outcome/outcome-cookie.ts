import type { Outcome } from "./outcome.ts";

/** Each in a cookie of its own, so that neither two answers at a time nor two actions in a row lose anything. */
export const outcomeCookie = ({ kind, to }: Pick<Outcome, "kind" | "to">, word: string, about = "") => ({
  name: `${kind}_${to}_${crypto.randomUUID().slice(0, 8)}`,
  value: about ? `${word}.${encodeURIComponent(about)}` : word,
});
