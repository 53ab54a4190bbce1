import { createMiddleware } from "hono/factory";
import { createPagePolicy, STRICT_POLICY } from "./content-security-policy.ts";
import type { HttpEnv } from "../http-env.ts";

export type SecurityOptions = Parameters<typeof createPagePolicy>[0];

/** What every response carries, whatever made it, a page's policy aside. */
export function fixedHeaders({ publicUrl }: Pick<SecurityOptions, "publicUrl">): Record<string, string> {
  return {
    "Content-Security-Policy": STRICT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
    // Wallets may open a window of their own, which must be able to answer.
    "Cross-Origin-Opener-Policy": "same-origin-allow-popups",
    "Cross-Origin-Resource-Policy": "same-origin",
    ...(publicUrl?.startsWith("https:") && { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" }),
  };
}

/** What an answer may say of itself, because it was made to be shown on other sites. */
const MAY_SAY = new Set(["Cross-Origin-Resource-Policy"]);

/** Sets the security headers, with a page's own policy where there is a nonce for one. */
export function securityHeaders(options: SecurityOptions) {
  const fixed = Object.entries(fixedHeaders(options));
  const pagePolicy = createPagePolicy(options);

  return createMiddleware<HttpEnv>(async (c, next) => {
    await next();
    const { headers } = c.res;
    for (const [name, value] of fixed) if (!MAY_SAY.has(name) || !headers.has(name)) headers.set(name, value);
    const nonce = c.get("nonce");
    if (nonce) headers.set("Content-Security-Policy", pagePolicy(nonce));
    // What a handler does not declare cacheable is personal.
    if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  });
}
