import { createHash } from "node:crypto";

/** What the tag of a body is made of: another one for any other body. */
export const digestBody = (body: Uint8Array): string =>
  createHash("sha256").update(body).digest("base64url").slice(0, 20);

/** Browsers send back the tag they were given; a cache on the way may have marked it as weak. */
export function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  if (!ifNoneMatch) return false;
  return ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
