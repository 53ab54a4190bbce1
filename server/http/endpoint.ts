import type * as z from "zod";
import type { Client } from "./client.ts";
import type { Endpoint } from "./contract.ts";
import type { EventStream } from "./event-stream.ts";
import type { FileResponse } from "./static/file-response.ts";

/** Who a call is made for: a session (sign-in) or one of the member's device keys. */
export type Caller = {
  userId: string;
  sessionId?: string;
  deviceId?: string;
  /**
   * A replica may answer this session once it has reached this position of the primary's log. Null while that is not
   * known.
   */
  readsFrom?: string | null;
  /** Whether this call has renewed the session. The response then names the event TOKEN_REFRESHED. */
  isRefreshed?: boolean;
  /** Whether the provider's session was due but could not be renewed, because the database is read-only. */
  isDue?: boolean;
};

/** Who makes a request, and from where. */
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
  /** The announced size of the body in bytes. Infinity if it is not announced. */
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
    ? FileResponse
    : z.input<E["response"]>;

/** A body as it arrived, with nothing checked yet. */
type Message<E extends Endpoint> = Pick<Call<E>, "headers"> & { text: string };

type Guards<E extends Endpoint> = {
  /** Throws if a call is not worth its work. The body has not been parsed at that point. */
  admit?: (asked: Announced<E>) => Promise<void>;
  /** Throws if the body was not sent by the sender that it names. */
  verify?: (message: Message<E>) => void;
};

/** Binds a contract to the function that answers it. Their types must agree. */
export const route = <const E extends Endpoint>(
  endpoint: E,
  handle: (call: Call<E>) => Promise<Answer<E>>,
  guards: Guards<E> = {},
): Route => ({ endpoint, handle, ...guards });
