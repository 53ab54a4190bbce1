import { createMiddleware } from "hono/factory";
import { respondWithError, type HttpError } from "../error-response.ts";
import type { HttpEnv } from "../http-env.ts";

const READS = new Set(["GET", "HEAD", "OPTIONS"]);

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

const NOT_A_FORM: HttpError = { status: 415, code: "UNSUPPORTED_MEDIA_TYPE", message: "Pages take forms only." };
const TOO_MANY = badRequest(`Send at most ${MAX_FIELDS} fields.`);
const UNKNOWN_FIELD = badRequest("That form has a field that no page here asks for.");
const BROKEN = badRequest("That form arrived damaged. Please send it again.");

/**
 * Lets only readable forms through to the pages' actions, which read them without expecting it to fail or to cost
 * much: what is no form of ours would look like a fault of ours.
 */
export function pageForm() {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const { method } = c.req;
    if (READS.has(method)) return next();
    const contentType = c.req.header("content-type") ?? "";
    const body = Buffer.from(await c.req.raw.arrayBuffer());
    const separator = SEPARATORS.get(contentType.split(";")[0]?.trim().toLowerCase() ?? "");
    if (!separator) {
      if (body.length > 0 || contentType) return respondWithError(c, NOT_A_FORM);
      c.req.raw = new Request(c.req.raw, { method, body: new URLSearchParams() });
      return next();
    }
    const problem = await findProblem(body, separator, contentType);
    if (problem) return respondWithError(c, problem);
    c.req.raw = new Request(c.req.raw, { method, body });
    return next();
  });
}

async function findProblem(body: Buffer<ArrayBuffer>, separator: string, type: string): Promise<HttpError | undefined> {
  // Counted before it is read: reading is what costs.
  if (hasMoreThan(MAX_FIELDS, body, separator)) return TOO_MANY;
  try {
    const form = await new Response(body, { headers: { "Content-Type": type } }).formData();
    return Array.from(form.keys()).every((name) => FIELD_NAME.test(name)) ? undefined : UNKNOWN_FIELD;
  } catch {
    return BROKEN;
  }
}

function hasMoreThan(limit: number, body: Buffer, separator: string) {
  let found = 0;
  for (let at = body.indexOf(separator); at !== -1; at = body.indexOf(separator, at + 1)) {
    if (++found > limit) return true;
  }
  return false;
}

function badRequest(message: string): HttpError {
  return { status: 400, code: "BAD_REQUEST", message };
}
