import net from "node:net";
import * as z from "zod";
import { brand } from "../brand.ts";
import { ErrorBody, type Endpoint } from "../server/http/contract.ts";
import { readText } from "../server/http/read-text.ts";
import { toLine } from "../server/http/visible-text.ts";
import { describeNoResponse } from "./describe-no-response.ts";

/** A call without the expected answer. `status` is undefined if nobody answered at all. */
export class CallFailed extends Error {
  override name = "CallFailed";
  readonly status: number | undefined;
  readonly code: string | undefined;
  /** How many seconds the server asks to wait before the next try. */
  readonly retryAfter: number | undefined;

  constructor(message: string, failure: { status?: number; code?: string; retryAfter?: number; cause?: unknown } = {}) {
    super(message, { cause: failure.cause });
    this.status = failure.status;
    this.code = failure.code;
    this.retryAfter = failure.retryAfter;
  }

  /** Whether the same call can succeed later without anybody fixing anything. */
  get isTemporary(): boolean {
    const { retryAfter, status } = this;
    return status === undefined || retryAfter !== undefined || status === 408 || status === 429 || status >= 500;
  }

  /** Whether something in between answered. Nodebeat's own errors have a code, and it never redirects. */
  get isForeign(): boolean {
    const { code, status = 0 } = this;
    return code === undefined && status >= 300;
  }
}

export type Caller = <E extends Endpoint>(
  endpoint: E,
  options?: { body?: unknown; token?: string },
) => Promise<z.output<E["response"]>>;

type CallerOptions = {
  url: string;
  /** For a server whose auth endpoints require one. */
  apiKey?: string;
  /** Aborts a call under way. */
  signal: AbortSignal;
  /** How long to wait for an answer, in milliseconds. */
  timeout: number;
  /** Gets the time on the server's clock with each answer. */
  hearTime?: (time: Date) => void;
};

/**
 * How long to try one of a server's addresses before the next, in milliseconds. Node.js allows a slow line only 250.
 */
const ADDRESS_TIMEOUT = 2_500;

/** Creates a function that calls the API of one server. It throws CallFailed, or the signal's reason. */
export function createCaller({ apiKey, hearTime, signal, timeout, url }: CallerOptions): Caller {
  // Not imported by name: older versions of Node.js lack it, and would end before they can say that they are too old.
  net.setDefaultAutoSelectFamilyAttemptTimeout(ADDRESS_TIMEOUT);
  return async (endpoint, { body, token } = {}) => {
    const response = await fetch(new URL(endpoint.path, url), {
      method: endpoint.method,
      // A redirect would carry the credential to an address that nobody chose.
      redirect: "manual",
      signal: AbortSignal.any([signal, endAfter(timeout)]),
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(apiKey && endpoint.service === "auth" && { "x-api-key": apiKey }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    }).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new CallFailed(describeNoResponse(url, cause), { cause });
    });
    const answer = await readJson(response).catch((cause: unknown) => {
      signal.throwIfAborted();
      // Cut off, longer than any answer of Nodebeat's, or not JSON at all.
      throw explain(response, url, undefined, cause);
    });
    if (!response.ok) throw explain(response, url, answer);
    const result = parseResponse(endpoint, answer, url);
    hearTime?.(new Date(response.headers.get("Date") ?? Number.NaN));
    return result;
  };
}

/**
 * Returns a signal that aborts after so many milliseconds. Not AbortSignal.timeout: if only AbortSignal.any refers to
 * it, Node.js 20 and early versions of 22 may collect it as garbage before it fires. The call would then wait for
 * minutes.
 */
function endAfter(milliseconds: number): AbortSignal {
  const limit = new AbortController();
  setTimeout(() => limit.abort(), milliseconds).unref();
  return limit.signal;
}

/** The most bytes to read of an answer. The longest one, to a full batch of beats, has a quarter of that. */
const MAX_RESPONSE_BYTES = 1024 * 1024;

const readJson = async (response: Response): Promise<unknown> =>
  JSON.parse(await readText(response, MAX_RESPONSE_BYTES));

function explain(response: Response, url: string, answer: unknown, cause?: unknown): CallFailed {
  const { status } = response;
  // Such as the sign-in page of a Wi-Fi network.
  if (response.ok && cause instanceof SyntaxError)
    return new CallFailed(`${url} answered with something that is not from ${brand.name}`, { cause });
  if (response.ok) return new CallFailed(`the answer of ${url} was cut off`, { cause });
  const seconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
  const retryAfter = Number.isFinite(seconds) ? seconds : undefined;
  const moved = status < 400 ? response.headers.get("Location") : null;
  // Not URL.parse, which the first versions of Node 20 lack.
  const location = moved !== null && URL.canParse(moved, url) ? new URL(moved, url) : undefined;
  const error = ErrorBody.safeParse(answer).data;
  const message =
    (error && toLine(error.message)) ??
    (location
      ? `${url} has moved: use ${location.origin}`
      : `${url} answered ${status}, which is not an answer from ${brand.name}`);
  return new CallFailed(message, { status, code: error?.error, retryAfter, cause });
}

function parseResponse<E extends Endpoint>(endpoint: E, answer: unknown, url: string): z.output<E["response"]> {
  const { data, success } = z.safeParse<E["response"]>(endpoint.response, answer);
  if (!success) throw new CallFailed(`${url} did not answer ${endpoint.path} as ${brand.name} does`, { status: 502 });
  return data;
}
