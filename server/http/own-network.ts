import { BlockList, isIP } from "node:net";

/** Addresses that only work within a private network (RFC 1918, RFC 4193, RFC 6598) or on this machine. */
const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const)
  PRIVATE.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of [
  ["::1", 128],
  ["fc00::", 7],
] as const)
  PRIVATE.addSubnet(network, prefix, "ipv6");

/**
 * Whether a host is this machine or in a private network: a private address, a name under a private top-level domain,
 * or a name without a dot, as containers have.
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replaceAll(/[[\]]/g, "");
  const family = isIP(host);
  if (family === 0) return !host.includes(".") || /\.(?:internal|local|localhost)$/.test(host);
  return PRIVATE.check(host, family === 6 ? "ipv6" : "ipv4");
}
