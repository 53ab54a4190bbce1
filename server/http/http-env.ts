import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { Logger } from "../log/log.ts";
import type { Bytes } from "./listening/collect-body.ts";

/** What handlers can read about their request with `c.get`. */
export type HttpEnv = {
  /** Empty when a test calls the app without a socket. */
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    /** The client's address: the nearest one that is not a trusted proxy. Empty string if unknown. */
    clientAddress: string;
    /** The process's log, which adds the request's id to each line. */
    log: Logger;
    /** The `traceparent` header of a trusted proxy, unchanged. */
    traceparent: string | undefined;
    /** What metrics count the address as, where the handler's pattern does not say it (pages and files). */
    route: string | undefined;
    /** Only set for pages: lets their inline scripts run. */
    nonce: string | undefined;
    /** The complete body of a response, kept outside of the response object. */
    whole: Bytes | undefined;
  };
};

export type HttpContext = Context<HttpEnv>;

/** The methods that requests may use. */
export const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** The methods that change nothing (RFC 9110, 9.2.1). */
export const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Whether the API answers a path, so that its errors are JSON. */
export const isApiPath = (path: string): boolean => /^\/(?:(?:api|submissions)(?:\/|$)|status\.json$)/.test(path);
