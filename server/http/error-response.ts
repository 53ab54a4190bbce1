import type { AppError } from "../errors.ts";
import { isApiPath, type HttpContext } from "./http-env.ts";

/**
 * Responds with an error outside of React Router: JSON under the API, a small page if the client accepts HTML, and
 * plain text otherwise.
 */
export function respondWithError(c: HttpContext, error: AppError): Response {
  const { path } = c.req;
  const { body, type } = renderRefusal(error, { path, accept: c.req.header("accept"), requestId: c.get("requestId") });
  return new Response(body, { status: error.status, headers: { ...error.headers, "Content-Type": type } });
}

type Asked = { path: string; accept: string | undefined; requestId?: string };

/** Renders the same, for requests that have not reached the application. */
export function renderRefusal(error: AppError, { path, accept, requestId }: Asked): { body: string; type: string } {
  if (isApiPath(path)) return { body: JSON.stringify(error), type: "application/json" };
  if (accept?.includes("text/html")) return { body: errorPage(error, requestId), type: "text/html; charset=utf-8" };
  return { body: `${error.message}\n`, type: "text/plain; charset=utf-8" };
}

/**
 * Depends on nothing else, because it is shown when the application could not answer. `message` is always our own text.
 */
const errorPage = ({ message, status }: AppError, requestId: string | undefined) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${message}</title>
<main>
<h1>${message}</h1>
<p><a href="/">Go home</a></p>
${status < 500 ? "" : '<p>See the <a href="/status">status page</a> for what works right now.</p>'}
${requestId ? `<p><small>Request ${requestId}</small></p>` : ""}
</main>
</html>
`;
