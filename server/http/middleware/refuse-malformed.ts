import type { IncomingMessage } from "node:http";
import { createMiddleware } from "hono/factory";
import { AppError } from "../../errors.ts";
import { METHODS, type HttpEnv } from "../http-env.ts";

const MAX_URL = 8192;

/** Refuses requests that no honest client sends, before anything else reads them. */
export function refuseMalformed() {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const { method, url } = c.req;
    if (!METHODS.has(method)) {
      const headers = { Allow: [...METHODS].join(", ") };
      throw new AppError("METHOD_NOT_ALLOWED", "That method is not allowed.", { headers });
    }
    if (url.length > MAX_URL) throw new AppError("URI_TOO_LONG", "That address is too long.");
    // With a Host header such as `1.2.3.4.5`, a request has a URL that nothing after this can parse.
    if (!URL.canParse(url)) throw new AppError("BAD_REQUEST", "The request must name one host.");
    if (url.includes("%") && !isDecodable(url)) throw new AppError("BAD_REQUEST", "That address is not valid.");
    if (c.env?.incoming && !namesOneHost(c.env.incoming)) {
      throw new AppError("BAD_REQUEST", "The request must name one host.");
    }
    return next();
  });
}

/**
 * Checks only the path, because query strings are decoded leniently. NUL is valid encoding, but nothing here may
 * contain it.
 */
function isDecodable(url: string) {
  const { pathname } = new URL(url);
  try {
    return !decodeURIComponent(pathname).includes("\0");
  } catch {
    return false;
  }
}

/**
 * Whether a request has exactly one Host header. Node keeps the first of several and drops the others, but a proxy may
 * have routed by another one. HTTP/1.0 needs none: simple health checks still use it.
 */
function namesOneHost({ rawHeaders, httpVersion }: IncomingMessage) {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === "host") hosts++;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === "1.0");
}
