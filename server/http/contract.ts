import * as z from "zod";
import type { ErrorCode } from "../errors.ts";

/** Who may call: anyone, a signed-in member, a member's node (member token or device key), or an administrator. */
type Access = "anyone" | "member" | "node" | "administrator";

/** The definition of one API call. Validation, the client and the OpenAPI document are derived from it. */
export type Endpoint = {
  method: "GET" | "POST" | "DELETE";
  /** Path with parameters in braces, as OpenAPI writes them. */
  path: `/${string}`;
  /** Which of the two backends answers the call. Decided by the path, unless a definition says otherwise. */
  service: "main" | "auth";
  /** "member", unless a definition says otherwise. */
  access: Access;
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** By their names in lower case. */
  headers?: z.ZodObject;
  body?: z.ZodType;
  response: z.ZodType;
  /**
   * The response decides nothing, so a replica may give it. It may be seconds old, but includes the member's own
   * writes.
   */
  mayLag?: true;
  /** Responds with server-sent events that carry data of the response's shape, until either side disconnects. */
  streams?: true;
  /** The media type of a response that is a file and is sent while it is produced. Undefined for JSON. */
  mediaType?: "text/csv" | "application/json";
  /**
   * Also allowed to administrators who have not entered their password recently: it reports that, or takes the
   * password.
   */
  needsNoPassword?: true;
  /** Expected failures beyond those that follow from access, query and body. */
  fails?: readonly ErrorCode[];
};

type Decided = "method" | "path" | "service" | "access";
type Details = Omit<Endpoint, Decided> & Partial<Pick<Endpoint, "service" | "access">>;

/**
 * An email address. The part before the @ is the dot-atom of RFC 5322, without the characters that mail servers take
 * for a route (`%`, `!`, `/`, `|`) and without `?`, which encoded words need. The domain may end in another script
 * (`ada@xn--80a1acny.xn--p1ai`, as browsers send it).
 */
export const EMAIL_FORM = {
  pattern: /^(?!\.)(?:\.?[\w#$&'*+=^`{}~-])+@(?:[A-Za-z\d][A-Za-z\d-]*\.)+(?:[A-Za-z]{2,63}|xn--[A-Za-z\d-]{1,59})$/,
};

/** Matches the paths of the auth part. */
const AUTH_PATH = /^\/api\/(?:login$|auth\/)/;

/** Returns which of the two backends answers a path. */
export const serviceOf = (path: string): Endpoint["service"] => (AUTH_PATH.test(path) ? "auth" : "main");

/* @__NO_SIDE_EFFECTS__ -- keeps the endpoints that a page does not call out of its code */
export function endpoint<const D extends Details>(
  call: `${Endpoint["method"]} ${Endpoint["path"]}`,
  details: D,
): D & Pick<Endpoint, Decided> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two parts that the space separates
  const [method, path] = call.split(" ") as [Endpoint["method"], Endpoint["path"]];
  return { method, path, service: serviceOf(path), access: "member", ...details };
}

/** The header in which a response names the authentication event that its call caused. */
export const AUTH_EVENT_HEADER = "x-auth-event";

export const ErrorBody = z
  .object({
    message: z.string(),
    error: z.string(),
    statusCode: z.number().int().optional(),
    fields: z.record(z.string(), z.array(z.string())).optional(),
  })
  .meta({ id: "Error" });

export const GenericResult = z.object({ success: z.boolean(), message: z.string() }).meta({ id: "GenericResult" });
export type GenericResult = z.infer<typeof GenericResult>;

/**
 * Years beyond 9999 are written with a sign, which PostgreSQL does not read. It has no year 0, and what it returns for
 * the years before 100 is read as another year, or not at all.
 */
const hasFourDigits = (text: string) => {
  const year = new Date(text).getUTCFullYear();
  return year >= 1000 && year <= 9999;
};

const DAY = "Write a day as 2026-12-31.";

export const CalendarDay = z.iso.date({ error: DAY, abort: true }).refine(hasFourDigits, DAY);

const INSTANT = "Write a time as 2026-12-01T00:00:00Z.";

/** A point in time, with its offset from UTC or a Z. */
export const Instant = z.iso.datetime({ offset: true, error: INSTANT, abort: true }).refine(hasFourDigits, INSTANT);

export const Pagination = z
  .object({
    limit: z.number().int(),
    page: z.number().int(),
    total: z.number().int(),
    totalPages: z.number().int(),
  })
  .meta({ id: "Pagination" });

/** What a pager needs, derived from the page number, the page size and the total number of rows. */
export const DerivedPagination = z.object({
  currentPage: z.number().int(),
  pageSize: z.number().int(),
  totalPages: z.number().int(),
  total: z.number().int(),
  hasNextPage: z.boolean(),
  hasPreviousPage: z.boolean(),
});
export type DerivedPagination = z.infer<typeof DerivedPagination>;

/** A number that arrives in a query string. */
export const queryInteger = (limits: { min: number; max: number; default: number }) =>
  z.coerce.number().int().min(limits.min).max(limits.max).default(limits.default);
