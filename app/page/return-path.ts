/**
 * The path that a client asks to be led back to, when it is one of ours; otherwise the fallback. Everything that leads
 * to an address from a form, a query or a cookie goes through here.
 */
export function returnPath(value: FormDataEntryValue | null, url: URL, fallback = "/"): string {
  if (typeof value !== "string" || !value.startsWith("/")) return fallback;
  const path = toPath(URL.parse(value, url), url);
  // Browsers parse what they are sent: `/.//host` is a path of ours, but what is left of it, `//host`, is another site.
  return path && toPath(URL.parse(path, url), url) === path ? path : fallback;
}

const toPath = (target: URL | null, { origin }: URL) =>
  target?.origin === origin ? `${target.pathname}${target.search}${target.hash}` : undefined;
