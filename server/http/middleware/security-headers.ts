import { createMiddleware } from "hono/factory";
import { createPagePolicy, STRICT_POLICY } from "./content-security-policy.ts";
import type { HttpEnv } from "../http-env.ts";

export type SecurityOptions = Parameters<typeof createPagePolicy>[0];

/** Returns the headers of every response, whatever creates it. Pages replace the policy with their own. */
export function fixedHeaders({ publicUrl }: Pick<SecurityOptions, "publicUrl">): Record<string, string> {
  return {
    "Content-Security-Policy": STRICT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
    // Wallets may open a separate window, which must be able to answer.
    "Cross-Origin-Opener-Policy": "same-origin-allow-popups",
    "Cross-Origin-Resource-Policy": "same-origin",
    ...(publicUrl?.startsWith("https:") && { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" }),
  };
}

/** Headers that a response may set itself, because it is made to be shown on other sites. */
const OVERRIDABLE = new Set(["Cross-Origin-Resource-Policy"]);

/** Sets the security headers. A page with a nonce gets the policy of pages. */
export function securityHeaders(options: SecurityOptions) {
  const fixed = Object.entries(fixedHeaders(options));
  const pagePolicy = createPagePolicy(options);

  return createMiddleware<HttpEnv>(async (c, next) => {
    await next();
    const { headers } = c.res;
    for (const [name, value] of fixed) if (!OVERRIDABLE.has(name) || !headers.has(name)) headers.set(name, value);
    const nonce = c.get("nonce");
    if (nonce) headers.set("Content-Security-Policy", pagePolicy(nonce));
    // What a handler does not declare cacheable is personal.
    if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  });
}
