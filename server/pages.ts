import { RouterContextProvider } from "react-router";
import * as build from "virtual:react-router/server-build";
import { appendCookies, createContextFiller, type PageBackend } from "../app/page/context.ts";
import { createPageHandler } from "../app/page/page-handler.ts";
import { requestContext } from "../app/page/request-context.ts";
import type { Pages } from "./http/pages-handler.ts";

/**
 * Creates React Router's request handler, with a context that has what the application needs. This is the only server
 * file that Vite builds: a context key of another bundle would be a different key.
 */
export function createPages(backend: PageBackend): Pages {
  const fillContext = createContextFiller(backend);
  // React Router compares Origin with the address it sees, which is not the public one behind a proxy, and does not
  // check routes without a component. server/http/middleware/origin-check.ts has already checked every unsafe request.
  const handle = createPageHandler({ ...build, allowedActionOrigins: ["**"] }, import.meta.env.MODE);

  return async (request, { nonce, requestId, log, clientAddress, onRoute, takeWhole }) => {
    const context = new RouterContextProvider();
    const reportError = (error: unknown) => log.error({ err: error }, "page failed");
    const oneTime = import.meta.env.DEV ? undefined : [nonce];
    const notice = backend.readNotice();
    context.set(requestContext, { nonce, requestId, reportError, onRoute, oneTime, notice, takeWhole });
    await fillContext(context, request, { log, clientAddress, requestId });
    return appendCookies(context, await handle(request, context));
  };
}
