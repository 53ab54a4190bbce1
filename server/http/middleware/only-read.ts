import { createMiddleware } from "hono/factory";
import { AppError } from "../../errors.ts";

/** Refuses all methods except GET and HEAD, for addresses that can only be read. */
export const onlyRead = createMiddleware(async (c, next) => {
  requireRead(c.req.method);
  return next();
});

export const isRead = (method: string): boolean => method === "GET" || method === "HEAD";

/** Throws METHOD_NOT_ALLOWED for methods that do not read. */
export function requireRead(method: string): void {
  if (isRead(method)) return;
  throw new AppError("METHOD_NOT_ALLOWED", "This can only be read.", { headers: { Allow: "GET, HEAD" } });
}
