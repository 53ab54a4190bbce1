import { createMiddleware } from "hono/factory";
import { respondWithError, type HttpError } from "./error-response.ts";
import type { HttpEnv } from "./http-env.ts";

const READS = new Set(["GET", "HEAD", "OPTIONS"]);

const NOT_A_FORM: HttpError = { status: 415, code: "UNSUPPORTED_MEDIA_TYPE", message: "Pages take forms only." };
const BROKEN: HttpError = {
  status: 400,
  code: "BAD_REQUEST",
  message: "That form arrived damaged. Please send it again.",
};

/**
 * Lets only readable forms through to the pages' actions, which read them without expecting it to fail: what is no
 * form would look like a fault of ours.
 */
export function pageForm() {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const { method } = c.req;
    if (READS.has(method)) return next();
    const type = c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase();
    // Anything can be read as fields and values in this encoding.
    if (type === "application/x-www-form-urlencoded") return next();

    const body = await c.req.raw.arrayBuffer();
    if (type === "multipart/form-data") {
      if (!(await isReadable(body, c.req.header("content-type")))) return respondWithError(c, BROKEN);
      c.req.raw = new Request(c.req.raw, { method, body });
      return next();
    }
    if (body.byteLength > 0) return respondWithError(c, NOT_A_FORM);
    c.req.raw = new Request(c.req.raw, { method, body: new URLSearchParams() });
    return next();
  });
}

async function isReadable(body: ArrayBuffer, type = "") {
  try {
    await new Response(body, { headers: { "Content-Type": type } }).formData();
    return true;
  } catch {
    return false;
  }
}
