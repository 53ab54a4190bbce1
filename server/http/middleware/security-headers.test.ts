import { expect, test } from "vitest";
import { createAppUnderTest, html } from "../app-under-test.ts";
import { createPagePolicy } from "./content-security-policy.ts";

const pages = async (_: Request, { nonce }: { nonce: string }) => html(`<script nonce="${nonce}"></script>`);

async function throwing(request: Request) {
  if (request.url.endsWith("/throws")) throw new Error("planned");
  // oxlint-disable-next-line typescript/only-throw-error -- what a library may do
  if (request.url.endsWith("/throws-text")) throw "text";
  return html("ok");
}

test("a page may run its own scripts by a nonce that is new each time", async () => {
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

test("no policy allows inline scripts, inline style elements, frames, plugins or another base", async () => {
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
  "%s carries every header",
  async (path) => {
    const { app } = createAppUnderTest({
      pages: throwing,
      env: { trustedProxies: [], publicUrl: "https://nodebeat.example" },
    });
    const { headers } = await app.request(path);
    expect(headers.get("Content-Security-Policy")).toMatch(/^default-src /);
    expect(headers.get("Strict-Transport-Security")).toBe("max-age=31536000");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Referrer-Policy")).toBe("strict-origin-when-cross-origin");
    expect(headers.get("Permissions-Policy")).toContain("camera=()");
    expect(headers.get("Cross-Origin-Opener-Policy")).toBe("same-origin-allow-popups");
    expect(headers.get("Cross-Origin-Resource-Policy")).toBe("same-origin");
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(headers.get("X-Request-Id")).toMatch(/^[\w-]{36}$/);
  },
);

test("over plain http browsers are not told to use https", async () => {
  const { app } = createAppUnderTest({ env: { trustedProxies: [], publicUrl: "http://localhost:3000" } });
  const { headers } = await app.request("/auth");
  expect(headers.has("Strict-Transport-Security")).toBe(false);
  expect(headers.get("Content-Security-Policy")).not.toContain("upgrade-insecure-requests");
});

test("only configured services are allowed, and only in development what Vite needs", () => {
  const full = createPagePolicy({ turnstileSiteKey: "k", gtmId: "GTM-1", supabaseUrl: "https://p.supabase.co/x" })("N");
  expect(full).toContain(
    "script-src 'self' https://challenges.cloudflare.com https://www.googletagmanager.com 'nonce-N'",
  );
  expect(full).toContain("frame-src https://challenges.cloudflare.com https://www.googletagmanager.com");
  expect(full).toContain("https://p.supabase.co wss://p.supabase.co");
  const bare = createPagePolicy({})("N");
  expect(bare.replace(/img-src [^;]+/, "")).not.toMatch(/https:|ws:/);
  expect(bare).toContain(
    "img-src 'self' data: https://ipfs.io https://dweb.link https://*.ipfs.dweb.link https://w3s.link https://*.ipfs.w3s.link https://4everland.io https://*.ipfs.4everland.io https://gateway.pinata.cloud; ",
  );
  expect(createPagePolicy({ development: true })("N")).toContain("style-src 'self' 'unsafe-inline'; ");
});
