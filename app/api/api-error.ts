export type ErrorFields = Record<string, string[]>;

type ApiErrorOptions = ErrorOptions & {
  /** Messages for single fields, by field name. */
  fields?: ErrorFields | undefined;
  /** Whether the message is the server's own words rather than one of ours. */
  fromServer?: boolean;
  /** Seconds until it makes sense to try again. */
  retryAfter?: number | undefined;
};

/** A failed call: message, code and status as in the error catalogue (product specification, section 8). */
export class ApiError extends Error {
  override name = "ApiError";
  /** The server's code, or API_ERROR, VALIDATION_ERROR, NETWORK_ERROR or UNKNOWN_ERROR of our own. */
  readonly code: string;
  /** An HTTP status; 500 where no response came. */
  readonly status: number;
  readonly fields: ErrorFields | undefined;
  readonly fromServer: boolean;
  /** Seconds until it makes sense to try again, where the server says so. */
  readonly retryAfter: number | undefined;

  constructor(message: string, code: string, status: number, options: ApiErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.status = status;
    this.fields = options.fields;
    this.fromServer = options.fromServer ?? false;
    this.retryAfter = options.retryAfter;
  }
}

/** The JSON of a response. Rejects with an ApiError where it is not ok, or none. */
export async function readAnswer(response: Response): ReturnType<Response["json"]> {
  if (!response.ok) throw await readErrorResponse(response);
  return response.json().catch((error: unknown) => {
    throw toApiError(error);
  });
}

/** The error of a response that is not ok. Never rejects: an unreadable body is a malformed one. */
export async function readErrorResponse(response: Response): Promise<ApiError> {
  return toRefusal(response.status, await response.json().catch(() => undefined), response.headers.get("Retry-After"));
}

/** The error that an answer's status, body and Retry-After say. */
export function toRefusal(status: number, answer: unknown, wait: string | null | undefined): ApiError {
  const retryAfter = parseRetryAfter(wait);
  const body = parseErrorBody(answer);
  if (!body) return new ApiError("Invalid error response format", "VALIDATION_ERROR", status, { retryAfter });
  return new ApiError(body.message || "An error occurred", body.error || "API_ERROR", status, {
    fields: body.fields,
    fromServer: Boolean(body.message),
    retryAfter,
  });
}

/** Whole seconds, up to a day. The header's other form, a date, is left out: it needs two clocks that agree. */
function parseRetryAfter(value: string | null | undefined): number | undefined {
  return value && /^\d{1,9}$/.test(value) ? Math.min(Number(value), 86_400) : undefined;
}

/** The error of a call that no response came for. */
export function toNetworkError(cause: unknown): ApiError {
  const message = cause instanceof Error && cause.message;
  return new ApiError(message || "Network error", "NETWORK_ERROR", 500, { cause });
}

/** Any failure as an ApiError; what is none yet is unknown. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError("Something went wrong, please try again!", "UNKNOWN_ERROR", 500, { cause: error });
}

type ErrorBody = { message?: string; error?: string; fields?: ErrorFields };

// Written out rather than a schema: the browser's bundle stays without zod.
function parseErrorBody(body: unknown): ErrorBody | undefined {
  if (!isRecord(body)) return undefined;
  const { message, error, statusCode, fields } = body;
  if (!isOptional(message, "string") || !isOptional(error, "string") || !isOptional(statusCode, "number"))
    return undefined;
  return {
    ...(message && { message }),
    ...(error && { error }),
    ...(isFields(fields) && { fields }),
  };
}

function isOptional<T extends "string" | "number">(
  value: unknown,
  type: T,
): value is (T extends "string" ? string : number) | null | undefined {
  return value === undefined || value === null || typeof value === type;
}

function isFields(value: unknown): value is ErrorFields {
  return (
    isRecord(value) &&
    Object.values(value).every((messages) => Array.isArray(messages) && messages.every((m) => typeof m === "string"))
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
