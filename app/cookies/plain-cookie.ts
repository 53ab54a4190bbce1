type Life = {
  /** In seconds. Without it, the cookie lasts until the browser closes. */
  maxAge?: number;
  /** Whether scripts cannot read it. */
  httpOnly?: boolean;
};

/** Lists the names and values of the cookies in a `Cookie` header, or in `document.cookie`. */
export const listCookies = (header: string): [name: string, value: string][] =>
  header.split(/;\s*/).flatMap((pair): [string, string][] => {
    const end = pair.indexOf("=");
    return end > 0 ? [[pair.slice(0, end), pair.slice(end + 1)]] : [];
  });

/** Returns the value of the first cookie with this name. */
export const readCookie = (header: string, name: string): string | undefined =>
  listCookies(header).find(([each]) => each === name)?.[1];

/**
 * Writes a cookie that is not secret, for `Set-Cookie` and for `storeCookie`. A page on https makes it https only. On
 * the server, `appendCookies` does that, because it knows the site's address.
 */
export function serializeCookie(name: string, value: string, { maxAge, httpOnly = false }: Life = {}): string {
  const attributes = [
    "Path=/",
    ...(httpOnly ? ["HttpOnly"] : []),
    "SameSite=Lax",
    ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
    ...(typeof location !== "undefined" && location.protocol === "https:" ? ["Secure"] : []),
  ];
  return [`${name}=${value}`, ...attributes].join("; ");
}

/** Returns the cookie that removes the one with this name. */
export const expiredCookie = (name: string): string => serializeCookie(name, "", { maxAge: 0 });

/** Stores in the browser what `serializeCookie` or `expiredCookie` returned. */
export function storeCookie(line: string): void {
  // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store API is not in every browser
  document.cookie = line;
}
