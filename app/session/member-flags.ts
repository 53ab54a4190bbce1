import { watchStorage } from "./tabs.ts";
import { expiredCookie, storeCookie } from "../cookies/plain-cookie.ts";

/**
 * What the browser keeps for a member in local storage, under the specification's names. None of it is secret. `user`
 * holds only the member's id: other tabs learn from it who is signed in.
 */
const FLAGS = ["user", "isWhitelisted", "tosAccepted", "ppAccepted", "configuration", "gatheredData"] as const;
/** The first byte of a page depends on these, so they are cookies (legal-flags.ts). */
const COOKIES = ["tosAccepted", "ppAccepted", "ppSkipped"];

/** Keeps who is signed in, and the result of the whitelist call once that is known. */
export function rememberMember(id: string, isWhitelisted: boolean | undefined): void {
  writeFlag("user", JSON.stringify({ id }));
  if (isWhitelisted !== undefined) writeFlag("isWhitelisted", String(isWhitelisted));
}

/** Removes everything that is kept for a member. */
export function forgetMember(): void {
  for (const name of FLAGS) writeFlag(name, null);
  for (const name of COOKIES) storeCookie(expiredCookie(name));
}

/**
 * Calls back when another tab signs out, with false, or signs somebody in, with true. Returns a function that stops it.
 */
export function watchMember(onChange: (isSignedIn: boolean) => void): () => void {
  return watchStorage((key, value) => {
    if (key === null || key === "user") onChange(value !== null);
  });
}

/** Writes a flag, or removes it. */
export function writeFlag(name: (typeof FLAGS)[number], value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else if (localStorage.getItem(name) !== value) localStorage.setItem(name, value);
  } catch {
    // Storage may be turned off. The session does not depend on it.
  }
}
