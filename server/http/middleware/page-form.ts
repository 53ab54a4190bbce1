import { createMiddleware } from "hono/factory";
import { AppError } from "../../errors.ts";
import type { HttpEnv } from "../http-env.ts";
import { isRead } from "./only-read.ts";

/** What stands between two fields, in the encodings that a form may have. */
const SEPARATORS = new Map([
  ["application/x-www-form-urlencoded", "&"],
  ["multipart/form-data", "\r\n--"],
]);

/** Ours have a dozen at most. What reads them takes seconds over a body full of empty ones. */
const MAX_FIELDS = 64;
/**
 * Names of ours. Conform would read others as orders: `a[9999999]` as a list of that length, `__intent__` as a change
 * of the form.
 */
const FIELD_NAME = /^(?!__)[\w-]{1,64}$/;

/**
 * Lets only readable forms through to the pages' actions, which read them without expecting it to fail or to cost
 * much: what is no form of ours would look like a fault of ours.
 */
export function pageForm() {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const { method } = c.req;
    if (isRead(method)) return next();
    // React Router would take PUT and its like for POST, and load some addresses for OPTIONS.
    if (method !== "POST") {
      // What every page takes: which of them take a form, too, only the router knows.
      const headers = { Allow: "GET, HEAD" };
      throw new AppError("METHOD_NOT_ALLOWED", "That method is not allowed here.", { headers });
    }
    const contentType = c.req.header("content-type") ?? "";
    const body = Buffer.from(await c.req.raw.arrayBuffer());
    const separator = SEPARATORS.get(contentType.split(";")[0]?.trim().toLowerCase() ?? "");
    if (!separator) {
      if (body.length > 0 || contentType) throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Pages take forms only.");
      c.req.raw = new Request(c.req.raw, { method, body: new URLSearchParams() });
      return next();
    }
    const problem = await findProblem(body, separator, contentType);
    if (problem) throw new AppError("BAD_REQUEST", problem);
    c.req.raw = new Request(c.req.raw, { method, body });
    return next();
  });
}

async function findProblem(body: Buffer<ArrayBuffer>, separator: string, type: string): Promise<string | undefined> {
  // Counted before it is read: reading is what costs.
  if (hasMoreThan(MAX_FIELDS, body, separator)) return `Send at most ${MAX_FIELDS} fields.`;
  try {
    const form = await new Response(body, { headers: { "Content-Type": type } }).formData();
    const isKnown = Array.from(form.keys()).every((name) => FIELD_NAME.test(name));
    return isKnown ? undefined : "That form has a field that no page here asks for.";
  } catch {
    return "That form arrived damaged. Please send it again.";
  }
}

function hasMoreThan(limit: number, body: Buffer, separator: string) {
  let found = 0;
  for (let at = body.indexOf(separator); at !== -1; at = body.indexOf(separator, at + 1)) {
    if (++found > limit) return true;
  }
  return false;
}
