import { IPFS_GATEWAYS } from "../../server/content/contract.ts";

/** Version 0 in base 58; version 1 in base 32, 36 or 58. */
const CID = "Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{58,}|B[A-Z2-7]{58,}|k[0-9a-z]{49,}|z[1-9A-HJ-NP-Za-km-z]{48,}";

/** The forms that an ipfs link has: its own scheme, a gateway's path, the content's id alone, or a gateway's subdomain. */
const FORM = new RegExp(
  `^(?:(?:ipfs://(?:ipfs/)?|https?://[^/?#]+/ipfs/|(?:/?ipfs/)?)(${CID})|https?://(${CID})\\.ipfs\\.[^/?#]+)([/?#].*)?$`,
  "s",
);

/**
 * The addresses of an ipfs link's content at the public gateways, in the order in which to try them (product
 * specification, section 7). None for any other link, nor for a path that would leave the content.
 */
export function toGatewayLinks(link: string): string[] {
  const [, named, host, rest = ""] = FORM.exec(link.trim()) ?? [];
  const cid = named ?? host;
  if (!cid) return [];
  const root = `/ipfs/${cid}`;
  const urls = IPFS_GATEWAYS.map(({ origin }) => new URL(`${origin}${root}${rest}`));
  return urls.every(({ pathname }) => pathname === root || pathname.startsWith(`${root}/`))
    ? urls.map(({ href }) => href)
    : [];
}

/** What the page's policy lets a picture come from: the gateways, the product itself, or the link's own data. */
export function toImageSources(link: string | null | undefined): string[] {
  if (!link) return [];
  const isOwn = /^\/(?![/\\])/.test(link) || /^data:image\//i.test(link);
  return isOwn ? [link] : toGatewayLinks(link);
}
