import { createHash } from "node:crypto";
import { isIP, isIPv6 } from "node:net";
import { BROWSER_MAP, parse } from "bowser";

/** Where a call came from, as far as the connection and its headers tell. */
export type Client = {
  /** The address nearest to us that is not a trusted proxy. Empty string if unknown. */
  address: string;
  userAgent: string;
  /** SHA-256 of the token by which a browser is recognised. Undefined without one. */
  deviceHash: Buffer | undefined;
};

/** For actions that no client makes, or whose origin the member need not know. */
export const NO_CLIENT: Client = { address: "", userAgent: "", deviceHash: undefined };

/** Sent by pages on behalf of the browser: 32 random bytes in base64url. */
const DEVICE_HEADER = "x-device-token";
const DEVICE_TOKEN = /^[\w-]{43}$/;

type Connection = { address: string; header: (name: string) => string | undefined };

export function describeClient({ address, header }: Connection): Client {
  const token = header(DEVICE_HEADER) ?? "";
  return {
    address,
    userAgent: header("user-agent") ?? "",
    // Computed on demand: a page makes a dozen reads, and hardly any of them needs it.
    get deviceHash() {
      return DEVICE_TOKEN.test(token) ? createHash("sha256").update(token).digest() : undefined;
    },
  };
}

/** The browsers that the parser knows. For any other it returns the start of the header, which the sender controls. */
const BROWSERS = new Set(Object.values(BROWSER_MAP));

/** The name of anything that is not a browser, such as a member's node. */
export const UNKNOWN_DEVICE = "An unknown device";

/** Names a device so that its member recognises it, as in `Firefox on Windows`. */
export function nameDevice(userAgent: string): string {
  if (!userAgent) return UNKNOWN_DEVICE;
  // Longer than any browser's header. The parser's patterns need not see more.
  const { browser, os } = parse(userAgent.slice(0, 512));
  if (!browser.name || !BROWSERS.has(browser.name)) return UNKNOWN_DEVICE;
  return os.name ? `${browser.name} on ${os.name}` : browser.name;
}

/**
 * Returns the network of an address: /24 for IPv4, /48 for IPv6. That is enough to recognise a place, and too little to
 * find a person. Null if the address is not valid.
 */
export function nameNetwork(address: string): string | null {
  if (isIP(address) === 4) return `${address.split(".").slice(0, 3).join(".")}.0/24`;
  if (!isIPv6(address)) return null;
  return `${expandIPv6(address).slice(0, 3).join(":")}::/48`;
}

/**
 * Returns what rate limits count as one client: an IPv4 address, or the /64 in which an IPv6 host can choose its
 * address.
 */
export function limitKeyOf(address: string): string {
  return isIPv6(address) ? expandIPv6(address).slice(0, 4).join(":") : address;
}

/** Expands an IPv6 address to its eight groups, without leading zeros. */
function expandIPv6(address: string): string[] {
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const before = head ? head.split(":") : [];
  const after = tail ? tail.split(":") : [];
  const missing = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array<string>(Math.max(0, missing)).fill("0"), ...after];
}
