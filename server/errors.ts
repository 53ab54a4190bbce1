/** The code of every expected failure, as in the error body, and its HTTP status. */
const STATUS = {
  BAD_REQUEST: 400,
  VALIDATION_ERROR: 400,
  UNAUTHENTICATED: 401,
  /**
   * A machine's key was revoked: only a new key helps. An unknown key, by contrast, may become known again, as after a
   * restore.
   */
  KEY_REVOKED: 401,
  INVALID_CREDENTIALS: 401,
  INVALID_API_KEY: 401,
  FORBIDDEN: 403,
  /** The caller is signed in and allowed, but must enter the password again first. */
  PASSWORD_REQUIRED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  EXPIRED: 410,
  ALREADY_USED: 410,
  PAYLOAD_TOO_LARGE: 413,
  URI_TOO_LONG: 414,
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
  /** Seconds until a retry makes sense. Sent as Retry-After. */
  retryAfter?: number;
  /** Extra headers for the response. */
  headers?: Record<string, string>;
};

/** An expected failure: `message` is written for the user, `cause` only for the log. */
export class AppError extends Error {
  override name = "AppError";
  readonly code: ErrorCode;
  readonly fields: Record<string, string[]> | undefined;
  readonly retryAfter: number | undefined;
  readonly #headers: Record<string, string> | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.fields = options.fields;
    this.retryAfter = options.retryAfter;
    this.#headers = options.headers;
  }

  get status(): ErrorStatus {
    return STATUS[this.code];
  }

  get headers(): Record<string, string> {
    return {
      ...this.#headers,
      ...(this.status === 401 && { "WWW-Authenticate": "Bearer" }),
      ...(this.retryAfter !== undefined && { "Retry-After": String(this.retryAfter) }),
    };
  }

  toResponse(): Response {
    return Response.json(this, { status: this.status, headers: this.headers });
  }

  /**
   * Returns the error shape of the specification (message, error, statusCode), plus `fields` if a form can use them.
   */
  toJSON() {
    const { code, fields, message, status } = this;
    return { message, error: code, statusCode: status, ...(fields && { fields }) };
  }
}

export const statusOf = (code: ErrorCode): ErrorStatus => STATUS[code];
