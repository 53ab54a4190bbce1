import type { Outcome } from "./outcome.ts";

/** Gives each outcome its own cookie, so that neither two responses at once nor two actions in a row lose anything. */
export const outcomeCookie = ({ kind, to }: Pick<Outcome, "kind" | "to">, word: string, about = "") => ({
  name: `${kind}_${to}_${makeUpId()}`,
  value: about ? `${word}.${encodeURIComponent(about)}` : word,
});

/** Not a UUID, because browsers make none on a page that is not secure. */
const makeUpId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(4)), (byte) => byte.toString(16).padStart(2, "0")).join("");
