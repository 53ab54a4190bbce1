/**
 * The gateways for content with an ipfs address, in the order in which they are tried. Pages request from them, and
 * their content security policy allows no others. Some redirect to the content's own host, below the one in `leadsTo`.
 */
export const IPFS_GATEWAYS = [
  { origin: "https://ipfs.io" },
  { origin: "https://dweb.link", leadsTo: "https://*.ipfs.dweb.link" },
  { origin: "https://w3s.link", leadsTo: "https://*.ipfs.w3s.link" },
  { origin: "https://4everland.io", leadsTo: "https://*.ipfs.4everland.io" },
  { origin: "https://gateway.pinata.cloud" },
] as const satisfies { origin: string; leadsTo?: string }[];

/** A content id: version 0 in base 58, or version 1 in base 32, 36 or 58. */
const CID = "Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{58,}|B[A-Z2-7]{58,}|k[0-9a-z]{49,}|z[1-9A-HJ-NP-Za-km-z]{48,}";

/** The forms of an ipfs link: its own scheme, a gateway's path, only the content's id, or a gateway's subdomain. */
const FORM = new RegExp(
  `^(?:(?:ipfs://(?:ipfs/)?|https?://[^/?#]+/ipfs/|(?:/?ipfs/)?)(${CID})|https?://(${CID})\\.ipfs\\.[^/?#]+)([/?#].*)?$`,
  "s",
);

/**
 * Returns what an ipfs link leads to: the content's id and what follows it. Returns null for any other link, and for a
 * path that would leave the content.
 */
export function findContentPath(link: string): string | null {
  const [, named, host, rest = ""] = FORM.exec(link.trim()) ?? [];
  const cid = named ?? host;
  if (!cid) return null;
  const { hash, pathname, search } = new URL(`${IPFS_GATEWAYS[0].origin}/ipfs/${cid}${rest}`);
  const isInside = pathname === `/ipfs/${cid}` || pathname.startsWith(`/ipfs/${cid}/`);
  return isInside ? `${pathname.slice("/ipfs/".length)}${search}${hash}` : null;
}
