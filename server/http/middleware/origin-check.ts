import { createMiddleware } from "hono/factory";
import { AppError } from "../../errors.ts";
import { isApiPath, SAFE_METHODS, type HttpContext, type HttpEnv } from "../http-env.ts";

/**
 * Refuses unsafe requests that another site made a browser send. Browsers say so in Sec-Fetch-Site, older ones
 * in Origin; a request with neither did not come from a browser of the last years and is let through, as in
 * Go's CrossOriginProtection. API calls without a cookie carry their own credential, which no browser adds.
 * Pages are checked without a cookie too: signing someone in to another's account needs none.
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
  // Without a PUBLIC_URL the host is all we know; a proxy may have changed http to https.
  return !site && !!origin && URL.canParse(origin) && new URL(origin).host === c.req.header("host");
}
