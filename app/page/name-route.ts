import type { MiddlewareFunction } from "react-router";
import { requestContext } from "./request-context.ts";

/** Tells the server which pattern an address matches, so that pages are counted by pattern. */
export const nameRoute: MiddlewareFunction<Response> = ({ context, pattern }) =>
  context.get(requestContext).onRoute?.(`/${pattern.replace(/^\//, "")}`);
