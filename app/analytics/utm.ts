import { dropCookie, readCookie, writeCookie } from "../cookies/plain-cookie.ts";

/** What a campaign's link says of itself (product specification, section 7). */
const UTM_PARAMETERS = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;

type Utm = Partial<Record<(typeof UTM_PARAMETERS)[number], string>>;

const COOKIE = "utm";
/** Characters of a value: longer ones are no campaign's. */
const LONGEST = 200;
/** Browsers keep 4 kB of a cookie, and a proxy may turn away an answer that brings a larger one. */
const LARGEST = 4000;

/** The campaign whose link led to an address; null when none did. */
export function findUtm({ searchParams }: URL): Utm | null {
  const found = UTM_PARAMETERS.flatMap((name) => {
    const value = cut(searchParams.get(name) ?? "", LONGEST);
    return value ? [[name, value] as const] : [];
  });
  return found.length > 0 ? Object.fromEntries(found) : null;
}

const cut = (text: string, longest: number) => Array.from(text).slice(0, longest).join("");

/**
 * Keeps a campaign for the browser's session: without an age, and readable by the page, which tells of it. A letter of
 * another script takes up to twenty characters there: where all five values are too long together, each is cut further.
 */
export function utmCookie(utm: Utm, longest = LONGEST): string {
  const values = Array.from(new URLSearchParams(utm), ([name, value]): [string, string] => [name, cut(value, longest)]);
  const line = writeCookie(COOKIE, encodeURIComponent(new URLSearchParams(values).toString()));
  return line.length < LARGEST ? line : utmCookie(utm, longest / 2);
}

/** Forgets it. */
export const NO_UTM = dropCookie(COOKIE);

/** The session's campaign, from the cookies of a request or a page. */
export function readUtm(cookies: string): Utm {
  const value = readCookie(cookies, COOKIE);
  if (!value) return {};
  try {
    return findUtm(new URL(`?${decodeURIComponent(value)}`, "http://cookie.invalid")) ?? {};
  } catch {
    // Not one of ours.
    return {};
  }
}
