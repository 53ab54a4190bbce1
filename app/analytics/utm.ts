import { dropCookie, readCookie, writeCookie } from "../cookies/plain-cookie.ts";

/** What a campaign's link says of itself (product specification, section 7). */
const UTM_PARAMETERS = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;

type Utm = Partial<Record<(typeof UTM_PARAMETERS)[number], string>>;

const COOKIE = "utm";
/** Longer ones are no campaign's: all five fit into one cookie. */
const LONGEST = 200;

/** The campaign whose link led to an address; null when none did. */
export function findUtm({ searchParams }: URL): Utm | null {
  const found = UTM_PARAMETERS.flatMap((name) => {
    const value = searchParams.get(name)?.slice(0, LONGEST);
    return value ? [[name, value] as const] : [];
  });
  return found.length > 0 ? Object.fromEntries(found) : null;
}

/** Keeps a campaign for the browser's session: without an age, and readable by the page, which tells of it. */
export const utmCookie = (utm: Utm): string =>
  writeCookie(COOKIE, encodeURIComponent(new URLSearchParams(utm).toString()));

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
