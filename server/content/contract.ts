/**
 * Where content with an ipfs address is fetched from, in this order: the pages ask, and their policy allows no others.
 * Some answer a path by leading to a host of the content's own, below the one named in `leadsTo`.
 */
export const IPFS_GATEWAYS = [
  { origin: "https://ipfs.io" },
  { origin: "https://dweb.link", leadsTo: "https://*.ipfs.dweb.link" },
  { origin: "https://w3s.link", leadsTo: "https://*.ipfs.w3s.link" },
  { origin: "https://4everland.io", leadsTo: "https://*.ipfs.4everland.io" },
  { origin: "https://gateway.pinata.cloud" },
] as const satisfies { origin: string; leadsTo?: string }[];
