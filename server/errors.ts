/** Every expected failure: its code in the error body, and the status that goes with it. */
const STATUS = {
  VALIDATION_ERROR: 400,
  UNAUTHENTICATED: 401,
  INVALID_CREDENTIALS: 401,
  INVALID_API_KEY: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  EXPIRED: 410,
  ALREADY_USED: 410,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  BOT_CHECK_FAILED: 422,
  BAD_SIGNATURE: 422,
  REQUIREMENTS_NOT_MET: 422,
  TOO_MANY_ATTEMPTS: 429,
  INTERNAL_ERROR: 500,
  UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof STATUS;
export type ErrorStatus = (typeof STATUS)[ErrorCode];

type AppErrorOptions = ErrorOptions & {
  /** Messages for single fields, by field name. */
  fields?: Record<string, string[]>;
  /** Seconds until it makes sense to try again: sent as Retry-After. */
  retryAfter?: number;
};

/** An expected failure: `message` is written for the user, `cause` only for the log. */
export class AppError extends Error {
  override name = "AppError";
  readonly code: ErrorCode;
  readonly fields: Record<string, string[]> | undefined;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.fields = options.fields;
    this.retryAfter = options.retryAfter;
  }

  get status(): ErrorStatus {
    return STATUS[this.code];
  }

  /** The error shape of the specification: message, error and statusCode; `fields` where a form can use it. */
  toResponse(): Response {
    const { code, fields, message, retryAfter, status } = this;
    return Response.json(
      { message, error: code, statusCode: status, ...(fields && { fields }) },
      {
        status,
        headers: {
          ...(status === 401 && { "WWW-Authenticate": "Bearer" }),
          ...(retryAfter !== undefined && { "Retry-After": String(retryAfter) }),
        },
      },
    );
  }
}

export const statusOf = (code: ErrorCode): ErrorStatus => STATUS[code];
