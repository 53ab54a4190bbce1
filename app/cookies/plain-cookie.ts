type Life = {
  /** In seconds; without it the cookie ends with the browser's session. */
  maxAge?: number;
  /** Whether scripts cannot read it. */
  httpOnly?: boolean;
};

/** The names and values of the cookies in a `Cookie` header, or in `document.cookie`. */
export const listCookies = (header: string): [name: string, value: string][] =>
  header.split(/;\s*/).flatMap((pair): [string, string][] => {
    const end = pair.indexOf("=");
    return end > 0 ? [[pair.slice(0, end), pair.slice(end + 1)]] : [];
  });

/** The value of the first cookie of a name. */
export const readCookie = (header: string, name: string): string | undefined =>
  listCookies(header).find(([each]) => each === name)?.[1];

/**
 * A cookie that is no secret, for `Set-Cookie` and for `keepCookie` alike. A page on https keeps it for https alone;
 * what the server sends is completed by `completeAnswer`, which knows where the site is.
 */
export function writeCookie(name: string, value: string, { maxAge, httpOnly = false }: Life = {}): string {
  const attributes = [
    "Path=/",
    ...(httpOnly ? ["HttpOnly"] : []),
    "SameSite=Lax",
    ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
    ...(typeof location !== "undefined" && location.protocol === "https:" ? ["Secure"] : []),
  ];
  return [`${name}=${value}`, ...attributes].join("; ");
}

/** The cookie after which there is none of that name. */
export const dropCookie = (name: string): string => writeCookie(name, "", { maxAge: 0 });

/** Keeps in the browser what `writeCookie` or `dropCookie` has made. */
export function keepCookie(line: string): void {
  // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store API is not in every browser
  document.cookie = line;
}
