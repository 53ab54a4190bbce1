import { findContentPath, IPFS_GATEWAYS } from "../../server/content/contract.ts";

/**
 * The addresses of an ipfs link's content at the public gateways, in the order in which to try them (product
 * specification, section 7). None for any other link, nor for a path that would leave the content.
 */
export function toGatewayLinks(link: string): string[] {
  const path = findContentPath(link);
  return path ? IPFS_GATEWAYS.map(({ origin }) => `${origin}/ipfs/${path}`) : [];
}

/** What the page's policy lets a picture come from: the gateways, the product itself, or the link's own data. */
export function toImageSources(link: string | null | undefined): string[] {
  if (!link) return [];
  const isOwn = /^\/(?![/\\])/.test(link) || /^data:image\//i.test(link);
  return isOwn ? [link] : toGatewayLinks(link);
}
