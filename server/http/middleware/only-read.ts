import { createMiddleware } from "hono/factory";
import { AppError } from "../../errors.ts";

/** Refuses every method but those that read, for an address that has nothing else. */
export const onlyRead = createMiddleware(async (c, next) => {
  requireRead(c.req.method);
  return next();
});

export const isRead = (method: string): boolean => method === "GET" || method === "HEAD";

/** Throws METHOD_NOT_ALLOWED for what does not read. */
export function requireRead(method: string): void {
  if (isRead(method)) return;
  throw new AppError("METHOD_NOT_ALLOWED", "This can only be read.", { headers: { Allow: "GET, HEAD" } });
}
