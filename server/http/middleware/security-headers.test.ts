import { expect, test } from "vitest";
import { createAppUnderTest, html } from "../../../tests/support/servers/app-under-test.ts";
import { createPagePolicy } from "./content-security-policy.ts";

const pages = async (_: Request, { nonce }: { nonce: string }) => html(`<script nonce="${nonce}"></script>`);

async function throwing(request: Request) {
  if (request.url.endsWith("/throws")) throw new Error("planned");
  // oxlint-disable-next-line typescript/only-throw-error -- libraries may do this
  if (request.url.endsWith("/throws-text")) throw "text";
  return html("ok");
}

test("a page may run its own scripts by a nonce that differs for each response", async () => {
  const { app } = createAppUnderTest({ pages });
  const nonces = new Set<string>();
  for (let i = 0; i < 3; i++) {
    const response = await app.request("/auth");
    const nonce = /nonce="([^"]+)"/.exec(await response.text())?.[1] ?? "";
    expect(nonce).toMatch(/^[\w+/]{22}==$/);
    expect(response.headers.get("Content-Security-Policy")).toContain(`script-src 'self' 'nonce-${nonce}';`);
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(3);
});

test("the policy allows no inline scripts or styles, frames, plugins or another base", async () => {
  const { app } = createAppUnderTest({ pages });
  const policy = (await app.request("/auth")).headers.get("Content-Security-Policy") ?? "";
  const directives = new Map(policy.split("; ").map((directive) => [directive.split(" ")[0], directive]));
  expect(directives.get("script-src")).not.toMatch(/unsafe/);
  expect(directives.get("style-src")).toBe("style-src 'self'");
  for (const name of ["object-src", "base-uri", "frame-ancestors", "frame-src"])
    expect(directives.get(name)).toBe(`${name} 'none'`);
  expect(directives.get("form-action")).toBe("form-action 'self'");
});

test.each(["/auth", "/api/nothing", "/nothing.js", "/healthz", "/%E0%A4%A", "/throws", "/throws-text"])(
  "%s is answered with every security header",
  async (path) => {
    const { app } = createAppUnderTest({
      pages: throwing,
      env: { trustedProxies: [], publicUrl: "https://nodebeat.example" },
    });
    const { headers } = await app.request(path, { headers: { Origin: "https://elsewhere.example" } });
    // The request came over http. Clients that send a token that way must notice, and are not redirected to https.
    expect(headers.has("Location")).toBe(false);
    expect(Array.from(headers.keys()).filter((name) => name.startsWith("access-control-"))).toEqual([]);
    expect(headers.get("Content-Security-Policy")).toMatch(/^default-src /);
    expect(headers.get("Strict-Transport-Security")).toBe("max-age=31536000; includeSubDomains");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Referrer-Policy")).toBe("strict-origin-when-cross-origin");
    expect(headers.get("Permissions-Policy")).toContain("camera=()");
    expect(headers.get("Cross-Origin-Opener-Policy")).toBe("same-origin-allow-popups");
    expect(headers.get("Cross-Origin-Resource-Policy")).toBe("same-origin");
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(headers.get("X-Request-Id")).toMatch(/^[\w-]{36}$/);
  },
);

test("a response may override Cross-Origin-Resource-Policy, but no other security header", async () => {
  const headers = { "Cross-Origin-Resource-Policy": "cross-origin", "Referrer-Policy": "unsafe-url" };
  const { app } = createAppUnderTest({ pages: async () => html("shown elsewhere", { headers }) });
  const answer = await app.request("/share");
  expect(answer.headers.get("Cross-Origin-Resource-Policy")).toBe("cross-origin");
  expect(answer.headers.get("Referrer-Policy")).toBe("strict-origin-when-cross-origin");
});

test("does not tell browsers to use https if PUBLIC_URL is http", async () => {
  const { app } = createAppUnderTest({ env: { trustedProxies: [], publicUrl: "http://localhost:3000" } });
  const { headers } = await app.request("/auth");
  expect(headers.has("Strict-Transport-Security")).toBe(false);
  expect(headers.get("Content-Security-Policy")).not.toContain("upgrade-insecure-requests");
});

const GATEWAYS =
  "https://ipfs.io https://dweb.link https://*.ipfs.dweb.link https://w3s.link https://*.ipfs.w3s.link https://4everland.io https://*.ipfs.4everland.io https://gateway.pinata.cloud";
const ANALYTICS = "https://*.google-analytics.com https://*.analytics.google.com https://*.googletagmanager.com";
const BARE = {
  "default-src": "'self'",
  "script-src": "'self' 'nonce-N'",
  "style-src": "'self'",
  "img-src": `'self' data: ${GATEWAYS}`,
  "font-src": "'self'",
  "connect-src": "'self'",
  "frame-src": "'none'",
  "object-src": "'none'",
  "base-uri": "'none'",
  "form-action": "'self'",
  "frame-ancestors": "'none'",
};

test.each<[Parameters<typeof createPagePolicy>[0], Record<string, string>]>([
  [{}, {}],
  [{ publicUrl: "http://nodebeat.example" }, {}],
  [{ publicUrl: "https://nodebeat.example" }, { "upgrade-insecure-requests": "" }],
  [{ development: true }, { "style-src": "'self' 'unsafe-inline'", "connect-src": "'self' ws:" }],
  ...[{ turnstileSiteKey: "k" }, { apiUrl: "https://api.example" }, { authApiUrl: "https://auth.example" }].map(
    (options): [typeof options, Record<string, string>] => [
      options,
      {
        "script-src": "'self' https://challenges.cloudflare.com 'nonce-N'",
        "frame-src": "https://challenges.cloudflare.com",
      },
    ],
  ),
  [
    { gtmId: "GTM-1" },
    {
      "script-src": "'self' https://www.googletagmanager.com 'nonce-N'",
      "img-src": `'self' data: ${GATEWAYS} ${ANALYTICS}`,
      "connect-src": `'self' ${ANALYTICS}`,
      "frame-src": "https://www.googletagmanager.com",
    },
  ],
])("with %o a page may load only what these settings need", (options, more) => {
  const directives = createPagePolicy(options)("N")
    .split("; ")
    .map((directive) => [directive.split(" ")[0], directive.split(" ").slice(1).join(" ")]);
  expect(Object.fromEntries(directives)).toEqual({ ...BARE, ...more });
});

test("a response that is not a page may load nothing; unused browser features are disabled", async () => {
  const { headers } = await createAppUnderTest().app.request("/api/nothing");
  expect(headers.get("Content-Security-Policy")).toBe(
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(headers.get("Permissions-Policy")).toBe(
    "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
  );
});
