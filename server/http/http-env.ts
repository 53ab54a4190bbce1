import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { Logger } from "../log/log.ts";
import type { Bytes } from "./listening/collect-body.ts";

/** What every handler may read about its request with `c.get`. */
export type HttpEnv = {
  /** All of it is absent when a test calls the app without a socket. */
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    /** The member's address: the nearest one that is not a trusted proxy. Empty when unknown. */
    clientAddress: string;
    /** The process's log with the request's id on each line. */
    log: Logger;
    /** The trace that a trusted proxy has begun, as it came. */
    traceparent: string | undefined;
    /** What the address is counted as, where no pattern of a handler says so. */
    route: string | undefined;
    /** Set for pages only: the value that lets their inline scripts run. */
    nonce: string | undefined;
    /** The body of an answer that is there as a whole, and not in it. */
    whole: Bytes | undefined;
  };
};

export type HttpContext = Context<HttpEnv>;

/** What a request may ask for. */
export const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** Those of them that change nothing (RFC 9110, 9.2.1). */
export const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Paths that the API answers, and whose errors are JSON. */
export const isApiPath = (path: string): boolean => /^\/(?:(?:api|submissions)(?:\/|$)|status\.json$)/.test(path);
