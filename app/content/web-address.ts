/** Parses a web address from outside. Returns null for anything else, which must not become a link. */
export function readWebAddress(text: string | undefined): URL | null {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : null;
  return url && /^https?:$/.test(url.protocol) ? url : null;
}
