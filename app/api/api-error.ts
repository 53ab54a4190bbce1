export type ErrorFields = Record<string, string[]>;

type ApiErrorOptions = ErrorOptions & {
  /** Messages for single fields, by field name. */
  fields?: ErrorFields | undefined;
  /** Whether the message comes from the server rather than from us. */
  fromServer?: boolean;
  /** How many seconds to wait before trying again. */
  retryAfter?: number | undefined;
};

/** A failed call: message, code and status as in the error catalogue (product specification, section 8). */
export class ApiError extends Error {
  override name = "ApiError";
  /** The server's code, or one of ours: API_ERROR, VALIDATION_ERROR, NETWORK_ERROR or UNKNOWN_ERROR. */
  readonly code: string;
  /** The HTTP status, or 500 if there was no response. */
  readonly status: number;
  readonly fields: ErrorFields | undefined;
  readonly fromServer: boolean;
  /** How many seconds to wait before trying again, if the server says so. */
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

/** Parses the JSON of a response. Rejects with an ApiError if the response is not ok or not JSON. */
export async function readBody(response: Response): ReturnType<Response["json"]> {
  if (!response.ok) throw await readErrorResponse(response);
  return response.json().catch((error: unknown) => {
    throw toApiError(error);
  });
}

/** Reads the error of a response that is not ok. Never rejects: an unreadable body counts as a malformed one. */
export async function readErrorResponse(response: Response): Promise<ApiError> {
  return toRefusal(response.status, await response.json().catch(() => undefined), response.headers.get("Retry-After"));
}

/** Creates the error for the status, body and Retry-After of a response. */
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

/**
 * Parses whole seconds, up to a day. Ignores the header's other form, a date, because it needs two clocks that agree.
 */
function parseRetryAfter(value: string | null | undefined): number | undefined {
  return value && /^\d{1,9}$/.test(value) ? Math.min(Number(value), 86_400) : undefined;
}

/** Creates the error of a call that got no response. */
export function toNetworkError(cause: unknown): ApiError {
  const message = cause instanceof Error && cause.message;
  return new ApiError(message || "Network error", "NETWORK_ERROR", 500, { cause });
}

/** Converts any failure into an ApiError. Other errors become UNKNOWN_ERROR. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError("Something went wrong, please try again!", "UNKNOWN_ERROR", 500, { cause: error });
}

type ErrorBody = { message?: string; error?: string; fields?: ErrorFields };

// Not a zod schema, to keep zod out of the browser's bundle.
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
