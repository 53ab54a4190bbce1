import { createRequestHandler, RouterContextProvider } from "react-router";
import * as build from "virtual:react-router/server-build";
import { completeAnswer, createContextFiller, type PageBackend } from "../app/page/context.ts";
import { requestContext } from "../app/page/request-context.ts";
import type { Pages } from "./http/pages-handler.ts";

/**
 * React Router's request handler with what the application needs in its context. This is the one server file that
 * Vite builds: a context key set from outside the bundle would be another key than the one inside.
 */
export function createPages(backend: PageBackend): Pages {
  const fillContext = createContextFiller(backend);
  // React Router compares Origin with the address it sees, which behind a proxy is not the public one, and leaves
  // out routes without a component. server/http/middleware/origin-check.ts has checked every unsafe request before.
  const handle = createRequestHandler({ ...build, allowedActionOrigins: ["**"] }, import.meta.env.MODE);

  return async (request, { nonce, requestId, log, clientAddress, onRoute, takeWhole }) => {
    const context = new RouterContextProvider();
    const reportError = (error: unknown) => log.error({ err: error }, "page failed");
    const oneTime = import.meta.env.DEV ? undefined : [nonce];
    const notice = backend.readNotice();
    context.set(requestContext, { nonce, requestId, reportError, onRoute, oneTime, notice, takeWhole });
    await fillContext(context, request, { log, clientAddress, requestId });
    return completeAnswer(context, await handle(request, context));
  };
}
