import net from "node:net";
import * as z from "zod";
import { brand } from "../brand.ts";
import { ErrorBody, type Endpoint } from "../server/http/contract.ts";
import { readText } from "../server/http/read-text.ts";
import { toLine } from "../server/http/visible-text.ts";
import { describeUnanswered } from "./describe-unanswered.ts";

/** A call that was not answered as hoped. `status` is absent when nobody answered at all. */
export class CallFailed extends Error {
  override name = "CallFailed";
  readonly status: number | undefined;
  readonly code: string | undefined;
  /** Seconds after which the server wants to be asked again. */
  readonly retryAfter: number | undefined;

  constructor(message: string, failure: { status?: number; code?: string; retryAfter?: number; cause?: unknown } = {}) {
    super(message, { cause: failure.cause });
    this.status = failure.status;
    this.code = failure.code;
    this.retryAfter = failure.retryAfter;
  }

  /** Whether the same call can succeed later without anybody doing something about it. */
  get isTemporary(): boolean {
    const { retryAfter, status } = this;
    return status === undefined || retryAfter !== undefined || status === 408 || status === 429 || status >= 500;
  }

  /** Whether something on the way answered: Nodebeat names its errors, and sends nobody elsewhere. */
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
  /** For a server whose auth part demands one. */
  apiKey?: string;
  /** Ends what is under way. */
  signal: AbortSignal;
  /** Milliseconds until a call without an answer has failed. */
  timeout: number;
  /** Hears what the server's clock says, with each answer. */
  hearTime?: (time: Date) => void;
};

/**
 * Milliseconds for a connection to one of a server's addresses before the next is tried: Node.js gives a slow line 250.
 */
const ADDRESS_TIMEOUT = 2_500;

/** Calls the API of one server. Throws CallFailed, or the signal's reason. */
export function createCaller({ apiKey, hearTime, signal, timeout, url }: CallerOptions): Caller {
  // Not by its own import: older versions of Node.js do not have it, and would end before they can say that they are
  // old.
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
      throw new CallFailed(describeUnanswered(url, cause), { cause });
    });
    const answer = await readJson(response).catch((cause: unknown) => {
      signal.throwIfAborted();
      // Cut off in the middle, longer than anything that Nodebeat says, or not JSON at all.
      throw explain(response, url, undefined, cause);
    });
    if (!response.ok) throw explain(response, url, answer);
    const result = readAnswer(endpoint, answer, url);
    hearTime?.(new Date(response.headers.get("Date") ?? Number.NaN));
    return result;
  };
}

/**
 * A signal that ends in so many milliseconds. Not AbortSignal.timeout: where only AbortSignal.any knows it, Node.js 20,
 * and 22 at first, may collect it as garbage before it has fired, and the call would wait for minutes.
 */
function endAfter(milliseconds: number): AbortSignal {
  const limit = new AbortController();
  setTimeout(() => limit.abort(), milliseconds).unref();
  return limit.signal;
}

/** Most bytes of an answer that are read. The longest, to a full batch of beats, has a quarter of that. */
const MOST_ANSWERED = 1024 * 1024;

const readJson = async (response: Response): Promise<unknown> => JSON.parse(await readText(response, MOST_ANSWERED));

function explain(response: Response, url: string, answer: unknown, cause?: unknown): CallFailed {
  const { status } = response;
  // Such as the page of a Wi-Fi that wants to be signed in to.
  if (response.ok && cause instanceof SyntaxError)
    return new CallFailed(`${url} answered with something that is not from ${brand.name}`, { cause });
  if (response.ok) return new CallFailed(`the answer of ${url} was cut off`, { cause });
  const seconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
  const retryAfter = Number.isFinite(seconds) ? seconds : undefined;
  const moved = status < 400 ? response.headers.get("Location") : null;
  // Not URL.parse: the first versions of Node 20 have none.
  const location = moved !== null && URL.canParse(moved, url) ? new URL(moved, url) : undefined;
  const error = ErrorBody.safeParse(answer).data;
  const message =
    (error && toLine(error.message)) ??
    (location
      ? `${url} has moved: use ${location.origin}`
      : `${url} answered ${status}, which is not an answer from ${brand.name}`);
  return new CallFailed(message, { status, code: error?.error, retryAfter, cause });
}

function readAnswer<E extends Endpoint>(endpoint: E, answer: unknown, url: string): z.output<E["response"]> {
  const { data, success } = z.safeParse<E["response"]>(endpoint.response, answer);
  if (!success) throw new CallFailed(`${url} did not answer ${endpoint.path} as ${brand.name} does`, { status: 502 });
  return data;
}
