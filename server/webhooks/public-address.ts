import { lookup, type LookupAddress, type LookupOptions } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { withoutMapping } from "../http/listening/client-address.ts";
import { isPrivateHost } from "../http/own-network.ts";

/** What no public network leads to, or only with another address in it (IANA's special-purpose registries). */
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

/**
 * Of IPv6 only what is given out for everybody is public: 2000::/3, but for what carries an IPv4 address or is a
 * sample.
 */
const GLOBAL = new BlockList();
GLOBAL.addSubnet("2000::", 3, "ipv6");
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  SPECIAL.addSubnet(network, prefix, "ipv6");

/** Whether an address is one that anybody can reach: not this machine's, not of its network, not of its cloud. */
export function isPublicAddress(given: string): boolean {
  const address = withoutMapping(given);
  const family = isIP(address);
  if (family === 0 || isPrivateHost(address)) return false;
  const kind = family === 6 ? "ipv6" : "ipv4";
  return !SPECIAL.check(address, kind) && (family === 4 || GLOBAL.check(address, kind));
}

/** Whether a host's name alone says that it is none for everybody. An address that it stands for is looked at later. */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replaceAll(/[[\]]/g, "").replace(/\.$/, "");
  return isIP(host) === 0 ? !isPrivateHost(host) : isPublicAddress(host);
}

/** Where a message would go is not for it. */
export class NotPublic extends Error {
  override name = "NotPublic";
}

/**
 * Looks a host up for a connection, and refuses it unless every address is public. The connection goes to these very
 * addresses: what the name stands for a moment later does not matter.
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

/** Who waits for the addresses of a host. */
const waiting = new Map<string, Answered[]>();

/**
 * One look for all messages to a host that are sent meanwhile. It has a thread for as long as silent name servers are
 * waited for, and the process has two of these: whatever else is looked up, mail and chain among it, waits for them.
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
