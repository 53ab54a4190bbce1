import { expiredCookie, readCookie, serializeCookie } from "../cookies/plain-cookie.ts";

/** The parameters of a campaign's link (product specification, section 7). */
const UTM_PARAMETERS = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;

type Utm = Partial<Record<(typeof UTM_PARAMETERS)[number], string>>;

const COOKIE = "utm";
/** The longest value, in characters. No campaign needs a longer one. */
const LONGEST = 200;
/** The largest cookie, in characters. Browsers keep 4 kB, and a proxy may reject a response that sets a larger one. */
const LARGEST = 4000;

/** Finds the campaign whose link led to an address. Returns null if there is none. */
export function findUtm({ searchParams }: URL): Utm | null {
  const found = UTM_PARAMETERS.flatMap((name) => {
    const value = cut(searchParams.get(name) ?? "", LONGEST);
    return value ? [[name, value] as const] : [];
  });
  return found.length > 0 ? Object.fromEntries(found) : null;
}

const cut = (text: string, longest: number) => Array.from(text).slice(0, longest).join("");

/**
 * Returns the cookie that keeps a campaign for the browser session. It has no age, and the page can read it to report
 * the campaign. A letter of another script takes up to twenty characters there. If all five values together are too
 * long, each is cut further.
 */
export function utmCookie(utm: Utm, longest = LONGEST): string {
  const values = Array.from(new URLSearchParams(utm), ([name, value]): [string, string] => [name, cut(value, longest)]);
  const line = serializeCookie(COOKIE, encodeURIComponent(new URLSearchParams(values).toString()));
  return line.length < LARGEST ? line : utmCookie(utm, longest / 2);
}

/** Removes the campaign's cookie. */
export const NO_UTM = expiredCookie(COOKIE);

/** Reads the session's campaign from the cookies of a request or a page. */
export function readUtm(cookies: string): Utm {
  const value = readCookie(cookies, COOKIE);
  if (!value) return {};
  try {
    return findUtm(new URL(`?${decodeURIComponent(value)}`, "http://cookie.invalid")) ?? {};
  } catch {
    // We did not write this cookie.
    return {};
  }
}
