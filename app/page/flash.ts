import { dropCookie, readCookie, writeCookie } from "../cookies/plain-cookie.ts";

const TONES = ["plain", "success", "error"] as const;

/** What an action has to say on the page that it leads to. */
export type Flash = { text: string; tone: (typeof TONES)[number] };

const NAME = "flash";
/** Browsers keep 4 kB of a cookie, and nobody reads a longer toast. */
const MAX_LENGTH = 300;

/**
 * The `Set-Cookie` value with which an action says something on the page it redirects to: a toast with a script, the
 * same words in the page without one, once. It is plain and readable by scripts: never a credential, nor anything
 * personal.
 */
export function flash(text: string, tone: Flash["tone"] = "success"): string {
  return writeCookie(NAME, `${tone}.${encodeURIComponent(text.slice(0, MAX_LENGTH))}`, { maxAge: 60 });
}

/** The `Set-Cookie` value that forgets it, for `document.cookie` too. */
export const FORGET_FLASH = dropCookie(NAME);

/** What a `Cookie` header or `document.cookie` carries; null without it, or with something that is not ours. */
export function readFlash(cookies: string): Flash | null {
  const value = readCookie(cookies, NAME) ?? "";
  const tone = TONES.find((name) => value.startsWith(`${name}.`));
  const text = tone && decode(value.slice(tone.length + 1));
  return text ? { text, tone } : null;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
