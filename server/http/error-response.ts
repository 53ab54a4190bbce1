import type { AppError } from "../errors.ts";
import { isApiPath, type HttpContext } from "./http-env.ts";

/**
 * Answers an error outside React Router: JSON under the API, a small page where a browser asks for one, plain
 * text for everything else.
 */
export function respondWithError(c: HttpContext, error: AppError): Response {
  if (isApiPath(c.req.path)) return error.toResponse();
  const { headers, message, status } = error;
  const isPage = c.req.header("accept")?.includes("text/html");
  return new Response(isPage ? errorPage(error, c.get("requestId")) : `${message}\n`, {
    status,
    headers: { ...headers, "Content-Type": `${isPage ? "text/html" : "text/plain"}; charset=utf-8` },
  });
}

/** Needs nothing but itself: it is shown when the application could not answer. `message` is our own text. */
const errorPage = ({ message, status }: AppError, requestId: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${message}</title>
<main>
<h1>${message}</h1>
<p><a href="/">Back to the start</a></p>
${status < 500 ? "" : '<p>See the <a href="/status">status page</a> for what works right now.</p>'}
<p><small>Request ${requestId}</small></p>
</main>
</html>
`;
