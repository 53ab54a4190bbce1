import { lookup, type LookupAddress, type LookupOptions } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { withoutMapping } from "../http/listening/client-address.ts";
import { isPrivateHost } from "../http/own-network.ts";

/** Addresses outside the public network, or that stand for another address (IANA's special-purpose registries). */
const SPECIAL = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["168.63.129.16", 32], // Azure's own services, seen from a machine there
  ["169.254.0.0", 16],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  SPECIAL.addSubnet(network, prefix, "ipv4");

/** The public part of IPv6: 2000::/3, except the ranges that embed an IPv4 address or are reserved for examples. */
const GLOBAL = new BlockList();
GLOBAL.addSubnet("2000::", 3, "ipv6");
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  SPECIAL.addSubnet(network, prefix, "ipv6");

/** Returns whether the public can reach an address: it is not this machine's, nor of its network or its cloud. */
export function isPublicAddress(given: string): boolean {
  const address = withoutMapping(given);
  const family = isIP(address);
  if (family === 0 || isPrivateHost(address)) return false;
  const kind = family === 6 ? "ipv6" : "ipv4";
  return !SPECIAL.check(address, kind) && (family === 4 || GLOBAL.check(address, kind));
}

/** Returns false if a host's name alone shows that it is not public. Its addresses are checked later. */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replaceAll(/[[\]]/g, "").replace(/\.$/, "");
  return isIP(host) === 0 ? !isPrivateHost(host) : isPublicAddress(host);
}

/** The error for a destination that is not public. */
export class NotPublic extends Error {
  override name = "NotPublic";
}

/**
 * Looks up a host for a connection, and refuses it unless every address is public. The connection uses exactly these
 * addresses, so it does not matter if the name leads elsewhere a moment later.
 */
export const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  lookUpAll(hostname, options, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error ?? !first) return callback(error ?? new NotPublic(`${hostname} has no address.`), "", 0);
    if (!addresses.every(({ address }) => isPublicAddress(address)))
      return callback(new NotPublic("The name leads to an address that is not public."), "", 0);
    return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
  });
};

type Answered = (error: Error | null, addresses: LookupAddress[]) => void;

/** The callers that wait for a host's addresses. */
const waiting = new Map<string, Answered[]>();

/**
 * Shares one lookup among all messages to a host that are sent meanwhile. A lookup keeps a thread busy while name
 * servers are silent, and the process has two for this: all other lookups, such as for mail and chain, wait for them.
 */
function lookUpAll(hostname: string, options: LookupOptions, answered: Answered): void {
  const key = JSON.stringify([hostname, options.family, options.hints]);
  const others = waiting.get(key);
  if (others) return void others.push(answered);
  const all = [answered];
  waiting.set(key, all);
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    waiting.delete(key);
    for (const each of all) each(error, addresses);
  });
}
