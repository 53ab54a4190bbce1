import { readCookie, writeCookie } from "../cookies/plain-cookie.ts";

/** The token by which a member's browser is known again. Not a credential: it opens nothing. */
export type Device = {
  /** Made up for a form when the browser has none yet; undefined where nothing is sent. */
  token: string | undefined;
  /** The `Set-Cookie` values with which the browser keeps it. */
  keep: () => string[];
};

const YEAR = 365 * 24 * 60 * 60;
const RANDOM_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/** The cookie that carries the device token. JavaScript cannot read it, and it goes to no other site. */
export function createDeviceCookie(publicUrl: string | undefined) {
  const secure = publicUrl?.startsWith("https:") ?? false;
  const name = secure ? "__Host-nodebeat_device" : "nodebeat_device";

  return {
    read(request: Request): Device {
      const known = readCookie(request.headers.get("Cookie") ?? "", name);
      const token = known && TOKEN.test(known) ? known : request.method === "POST" ? createToken() : undefined;
      return { token, keep: () => (token ? [writeCookie(name, token, { maxAge: YEAR, httpOnly: true })] : []) };
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
