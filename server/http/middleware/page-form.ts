import { createMiddleware } from "hono/factory";
import { AppError } from "../../errors.ts";
import type { HttpEnv } from "../http-env.ts";
import { isRead } from "./only-read.ts";

/** What separates two fields, by the encoding of the form. */
const SEPARATORS = new Map([
  ["application/x-www-form-urlencoded", "&"],
  ["multipart/form-data", "\r\n--"],
]);

/** Our forms have a dozen fields at most. The form parser takes seconds for a body full of empty fields. */
const MAX_FIELDS = 64;
/**
 * Matches the field names that our forms use. Conform would interpret others: `a[9999999]` as a list of that length,
 * `__intent__` as a change of the form.
 */
const FIELD_NAME = /^(?!__)[\w-]{1,64}$/;

/**
 * Only lets readable forms through to the pages' actions, which expect that reading a form is cheap and cannot fail.
 * Otherwise a malformed form would look like an error of ours.
 */
export function pageForm() {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const { method } = c.req;
    if (isRead(method)) return next();
    // React Router would treat PUT and similar methods as POST, and run some loaders for OPTIONS.
    if (method !== "POST") {
      // What every page allows. Only the router knows which pages also accept forms.
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
  // Counts first, because parsing is the expensive part.
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
