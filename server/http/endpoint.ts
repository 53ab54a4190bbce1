import type * as z from "zod";
import type { Client } from "./client.ts";
import type { Endpoint } from "./contract.ts";
import type { EventStream } from "./event-stream.ts";
import type { FileAnswer } from "./static/file-answer.ts";

/** Who a call was made for: a session (sign-in) or a device key of the member's. */
export type Caller = {
  userId: string;
  sessionId?: string;
  deviceId?: string;
  /**
   * From which position of the primary's log on a replica has what the session is to see; null while that is not known.
   */
  readsFrom?: string | null;
  /** Whether this call has renewed the session: it is told to the caller as the event TOKEN_REFRESHED. */
  isRefreshed?: boolean;
  /** Whether what stands behind the session could not be renewed when it was due, for a database without writes. */
  isDue?: boolean;
};

/** Who asks, and from where. */
export type Requester = { caller: Caller; client: Client };

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

export type Call<E extends Endpoint> = {
  params: Output<E["params"]>;
  query: Output<E["query"]>;
  headers: Output<E["headers"]>;
  body: Output<E["body"]>;
  caller: E["access"] extends "anyone" ? undefined : Caller;
  client: Client;
};

type Announced<E extends Endpoint> = Pick<Call<E>, "caller" | "client"> & {
  /** Bytes of the body, as announced; Infinity where nobody has said. */
  bodySize: number;
};

export type Route = {
  endpoint: Endpoint;
  handle: (call: never) => Promise<unknown>;
  admit?: (asked: never) => Promise<void>;
  verify?: (message: never) => void;
};

type Answer<E extends Endpoint> = E["streams"] extends true
  ? EventStream
  : E["mediaType"] extends string
    ? FileAnswer
    : z.input<E["response"]>;

/** A body as it came, of which nothing has been believed yet. */
type Message<E extends Endpoint> = Pick<Call<E>, "headers"> & { text: string };

type Guards<E extends Endpoint> = {
  /** Throws for a call that is not worth its work: nothing of its body has been read by then. */
  admit?: (asked: Announced<E>) => Promise<void>;
  /** Throws for a body that does not come from whom it says. */
  verify?: (message: Message<E>) => void;
};

/** Binds a contract to the function that answers it; the types of both must agree. */
export const route = <const E extends Endpoint>(
  endpoint: E,
  handle: (call: Call<E>) => Promise<Answer<E>>,
  guards: Guards<E> = {},
): Route => ({ endpoint, handle, ...guards });
