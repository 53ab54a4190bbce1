/** An address of the web from outside. Null for what is none: whatever else it may be, it is not for a link. */
export function readWebAddress(text: string | undefined): URL | null {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : null;
  return url && /^https?:$/.test(url.protocol) ? url : null;
}
