import { createHash } from "node:crypto";
import { isIP, isIPv6 } from "node:net";
import { BROWSER_MAP, parse } from "bowser";

/** Who a call came from, as far as the connection tells. */
export type Client = {
  /** The address that is nearest to us and no trusted proxy. Empty when unknown. */
  address: string;
  userAgent: string;
  /** SHA-256 of the token that the browser keeps so that it is known again; absent without one. */
  deviceHash: Buffer | undefined;
};

/** For what nobody does from a place that the member need know. */
export const NO_CLIENT: Client = { address: "", userAgent: "", deviceHash: undefined };

/** Sent by the pages for the browser: 32 random bytes in base64url. */
const DEVICE_HEADER = "x-device-token";
const DEVICE_TOKEN = /^[\w-]{43}$/;

type Connection = { address: string; header: (name: string) => string | undefined };

export function describeClient({ address, header }: Connection): Client {
  const token = header(DEVICE_HEADER) ?? "";
  return {
    address,
    userAgent: header("user-agent") ?? "",
    // A page makes a dozen reads, and hardly any of them asks for it.
    get deviceHash() {
      return DEVICE_TOKEN.test(token) ? createHash("sha256").update(token).digest() : undefined;
    },
  };
}

/** Those that the parser knows. Of any other it returns how the header begins, in the words of whoever sent it. */
const BROWSERS = new Set(Object.values(BROWSER_MAP));

/** Of whatever is no browser, such as a member's node. */
export const UNKNOWN_DEVICE = "An unknown device";

/** `Firefox on Windows`: what a member recognises a device by. */
export function nameDevice(userAgent: string): string {
  if (!userAgent) return UNKNOWN_DEVICE;
  // Longer than any browser's; the parser's patterns need not see more.
  const { browser, os } = parse(userAgent.slice(0, 512));
  if (!browser.name || !BROWSERS.has(browser.name)) return UNKNOWN_DEVICE;
  return os.name ? `${browser.name} on ${os.name}` : browser.name;
}

/**
 * The network of an address: /24 for IPv4, /48 for IPv6. Enough to recognise a place by, too little to find a person.
 */
export function nameNetwork(address: string): string | null {
  if (isIP(address) === 4) return `${address.split(".").slice(0, 3).join(".")}.0/24`;
  if (!isIPv6(address)) return null;
  return `${expandIPv6(address).slice(0, 3).join(":")}::/48`;
}

/** What limits count as one client: an IPv4 address, or the /64 that an IPv6 host can choose from. */
export function limitKeyOf(address: string): string {
  return isIPv6(address) ? expandIPv6(address).slice(0, 4).join(":") : address;
}

/** The eight groups, without leading zeros. */
function expandIPv6(address: string): string[] {
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const before = head ? head.split(":") : [];
  const after = tail ? tail.split(":") : [];
  const missing = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array<string>(Math.max(0, missing)).fill("0"), ...after];
}
