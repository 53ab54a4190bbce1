import type { ErrorStatus } from "../errors.ts";
import { isApiPath, type HttpContext } from "./http-env.ts";

export type HttpError = {
  status: ErrorStatus | 414;
  /** Code of the API's error body. */
  code: string;
  /** For the reader of the page or body; never an internal text. */
  message: string;
  headers?: Record<string, string>;
};

/**
 * Answers an error outside React Router: JSON under the API, a small page where a browser asks for one, plain
 * text for everything else.
 */
export function respondWithError(c: HttpContext, error: HttpError): Response {
  const { body, type } = renderError(c, error);
  return new Response(body, { status: error.status, headers: { ...error.headers, "Content-Type": type } });
}

function renderError(c: HttpContext, { status, code, message }: HttpError) {
  if (isApiPath(c.req.path)) {
    return { body: JSON.stringify({ message, error: code, statusCode: status }), type: "application/json" };
  }
  if (c.req.header("accept")?.includes("text/html")) {
    return { body: errorPage(message, c.get("requestId")), type: "text/html; charset=utf-8" };
  }
  return { body: `${message}\n`, type: "text/plain; charset=utf-8" };
}

/** Needs nothing but itself: it is shown when the application could not answer. `message` is our own text. */
const errorPage = (message: string, requestId: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${message}</title>
<main>
<h1>${message}</h1>
<p><a href="/">Back to the start</a></p>
<p><small>Request ${requestId}</small></p>
</main>
</html>
`;
