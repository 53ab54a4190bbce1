import { BlockList, isIP } from "node:net";

/**
 * Creates the check of who may set forwarded headers: these addresses and ranges only. They were validated with the
 * settings.
 */
export function createProxyTrust(trustedProxies: readonly string[]) {
  const list = new BlockList();
  for (const item of trustedProxies) {
    const [address = "", prefix] = item.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }

  const isTrusted = (address: string) => {
    const family = isIP(address);
    return family > 0 && list.check(address, family === 6 ? "ipv6" : "ipv4");
  };

  return {
    isTrusted: trustedProxies.length > 0 ? isTrusted : () => false,

    /**
     * Finds the last address in X-Forwarded-For that is not one of our proxies. Anything before it can be forged. A
     * proxy that does not report its client counts as the client.
     */
    findClient(peer: string, forwardedFor: string | undefined): string {
      let client = peer;
      for (const hop of listHops(forwardedFor).toReversed()) {
        const address = findAddress(hop);
        if (!address || !this.isTrusted(client)) break;
        client = address;
      }
      return client;
    },
  };
}

const listHops = (forwardedFor = "") =>
  forwardedFor
    .split(",")
    .map((hop) => hop.trim())
    .filter(Boolean);

/** Returns the address of a hop without its port. Some proxies add the port, which differs for each connection. */
function findAddress(hop: string): string | undefined {
  const bare = hop.replace(/^\[(.+)\](?::\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1");
  const address = withoutMapping(bare);
  return isIP(address) ? address : undefined;
}

/** Removes the prefix of a mapped IPv4 address. Node reports IPv4 peers of a dual-stack socket as ::ffff:10.0.0.1. */
export const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");
