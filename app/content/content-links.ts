import { findContentPath, IPFS_GATEWAYS } from "../../server/content/contract.ts";

/**
 * Returns the addresses of an ipfs link's content at the public gateways, in the order to try them (product
 * specification, section 7). Returns none for any other link, or for a path that would leave the content.
 */
export function toGatewayLinks(link: string): string[] {
  const path = findContentPath(link);
  return path ? IPFS_GATEWAYS.map(({ origin }) => `${origin}/ipfs/${path}`) : [];
}

/**
 * Returns the sources that the page's content security policy allows for a picture: the gateways, the product itself,
 * or the link's own data.
 */
export function toImageSources(link: string | null | undefined): string[] {
  if (!link) return [];
  const isOwn = /^\/(?![/\\])/.test(link) || /^data:image\//i.test(link);
  return isOwn ? [link] : toGatewayLinks(link);
}
