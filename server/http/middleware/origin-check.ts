import { createMiddleware } from "hono/factory";
import { AppError } from "../../errors.ts";
import { isApiPath, SAFE_METHODS, type HttpContext, type HttpEnv } from "../http-env.ts";

/**
 * Refuses unsafe requests that another site made a browser send. Browsers say so in Sec-Fetch-Site, and older ones in
 * Origin. A request with neither header did not come from a browser of recent years and is allowed, as in Go's
 * CrossOriginProtection. API calls without a cookie carry their own credential, which no browser adds. Pages are
 * checked even without a cookie: signing someone in to another person's account needs none.
 */
export function originCheck({ publicUrl }: { publicUrl?: string }) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    if (SAFE_METHODS.has(c.req.method) || isBearerCall(c) || isSameOrigin(c, publicUrl)) return next();
    throw new AppError("FORBIDDEN", "That request came from another site and was refused.");
  });
}

const isBearerCall = (c: HttpContext) => isApiPath(c.req.path) && !c.req.header("cookie");

function isSameOrigin(c: HttpContext, publicUrl: string | undefined) {
  const site = c.req.header("sec-fetch-site");
  if (site === "same-origin" || site === "none") return true;
  const origin = c.req.header("origin");
  if (!site && !origin) return true;
  if (publicUrl) return origin === publicUrl;
  // Without a PUBLIC_URL, only the host can be compared: behind a proxy, the scheme may differ.
  return !site && !!origin && URL.canParse(origin) && new URL(origin).host === c.req.header("host");
}
