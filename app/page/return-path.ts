/**
 * Returns the path that a client asks to be led back to if it is one of ours, and the fallback otherwise. Every
 * redirect to an address from a form, a query or a cookie goes through here.
 */
export function returnPath(value: FormDataEntryValue | null, url: URL, fallback = "/"): string {
  if (typeof value !== "string" || !value.startsWith("/")) return fallback;
  const path = toPath(value, url);
  // Browsers parse what they receive again: `/.//host` is a path of ours, but what is left of it, `//host`, is another
  // site.
  return path && toPath(path, url) === path ? path : fallback;
}

function toPath(text: string, base: URL): string | undefined {
  if (!URL.canParse(text, base)) return undefined;
  const { origin, pathname, search, hash } = new URL(text, base);
  return origin === base.origin ? `${pathname}${search}${hash}` : undefined;
}
