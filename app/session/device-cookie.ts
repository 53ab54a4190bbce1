import { readCookie, serializeCookie } from "../cookies/plain-cookie.ts";

/** A token that recognizes a member's browser. It is not a credential: it gives no access. */
export type Device = {
  /** Generated for a form if the browser has none yet. Undefined if there is nothing to send. */
  token: string | undefined;
  /** Returns the `Set-Cookie` values that make the browser keep it. */
  toSetCookies: () => string[];
};

const YEAR = 365 * 24 * 60 * 60;
const RANDOM_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/**
 * Creates the cookie that carries the device token. JavaScript cannot read it, and browsers send it to no other site.
 */
export function createDeviceCookie(publicUrl: string | undefined) {
  const secure = publicUrl?.startsWith("https:") ?? false;
  const name = secure ? "__Host-nodebeat_device" : "nodebeat_device";

  return {
    read(request: Request): Device {
      const known = readCookie(request.headers.get("Cookie") ?? "", name);
      const token = known && TOKEN.test(known) ? known : request.method === "POST" ? createToken() : undefined;
      return {
        token,
        toSetCookies: () => (token ? [serializeCookie(name, token, { maxAge: YEAR, httpOnly: true })] : []),
      };
    },
  };
}

function createToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}
