import { createHash } from "node:crypto";

/** Returns the digest from which ETags are made. It differs for different bodies. */
export const digestBody = (body: Uint8Array): string =>
  createHash("sha256").update(body).digest("base64url").slice(0, 20);

/**
 * Whether the client has the current version. Browsers send back the tag they got, and a cache in between may have
 * marked it as weak.
 */
export function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  if (!ifNoneMatch) return false;
  return ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
