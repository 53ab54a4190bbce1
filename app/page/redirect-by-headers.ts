import type { MiddlewareFunction } from "react-router";

/**
 * Sends a script to another document by headers alone. The page leaves as soon as it knows where to go. A body would
 * then break off half read, which Firefox reports as an uncaught error. The router understands both ways.
 */
export const redirectByHeaders: MiddlewareFunction<Response> = async ({ request }, next) => {
  const answer = await next();
  const { headers, status } = answer;
  const to = headers.get("Location");
  if (!isDataRequest(request) || to === null || !headers.has(RELOAD)) return answer;
  const redirectHeaders = new Headers(headers);
  redirectHeaders.delete("Location");
  for (const [name, value] of Object.entries({ Redirect: to, Status: String(status), "Reload-Document": "true" }))
    redirectHeaders.set(`X-Remix-${name}`, value);
  return new Response(null, { status: 204, headers: redirectHeaders });
};

const RELOAD = "X-Remix-Reload-Document";

const isDataRequest = ({ url }: Request) => new URL(url).pathname.endsWith(".data");
