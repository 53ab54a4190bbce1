import type { Handler } from "hono";
import type { Logger } from "../log/log.ts";
import { takeRandom } from "../secrets/take-random.ts";
import type { HttpEnv } from "./http-env.ts";
import type { Bytes } from "./listening/collect-body.ts";

/** What a page knows about its request. */
type PageScope = {
  nonce: string;
  requestId: string;
  clientAddress: string;
  log: Logger;
  /** Receives the pattern that the address matches. */
  onRoute: (pattern: string) => void;
  /** Takes a document that is complete. The response then has no body. */
  takeWhole: (document: Bytes) => void;
};
export type Pages = (request: Request, scope: PageScope) => Promise<Response>;

/** Hands requests that are for neither a file nor the API to React Router. */
export function pagesHandler(pages: Pages): Handler<HttpEnv> {
  return async (c) => {
    const nonce = takeRandom(16).toString("base64");
    c.set("nonce", nonce);
    let whole: Bytes | undefined;
    const response = await pages(asGet(c.req.raw), {
      nonce,
      requestId: c.get("requestId"),
      clientAddress: c.get("clientAddress"),
      log: c.get("log"),
      onRoute: (pattern) => c.set("route", pattern),
      takeWhole: (document) => (whole = document),
    });
    if (isLastResort(response)) throw new Error("React Router could not render a page, nor its error page.");
    // After a redirect, or a response that is not a page, the document is not sent.
    if (response.body === null && isPage(response)) c.set("whole", whole);
    return complete(response);
  };
}

const isPage = ({ headers }: Response) => headers.get("Content-Type")?.startsWith("text/html") ?? false;

/** Turns HEAD into GET, so that both have the same headers. The body is dropped later. */
const asGet = (request: Request) => (request.method === "HEAD" ? new Request(request, { method: "GET" }) : request);

/** Whether React Router could render neither the page nor its error page. Its response is then not a page. */
function isLastResort({ status, headers }: Response) {
  return status >= 500 && !/text\/(?:html|x-script)|json/.test(headers.get("Content-Type") ?? "");
}

/**
 * Adds the header that the status requires. Pages cannot set it, because the error may come from an API call or from
 * React Router.
 */
function complete(response: Response) {
  const [name, value] = REQUIRED_HEADERS[response.status] ?? [];
  if (!name || !value || response.headers.has(name)) return response;
  const headers = new Headers(response.headers);
  headers.set(name, value);
  return new Response(response.body, { status: response.status, headers });
}

const REQUIRED_HEADERS: Partial<Record<number, [name: string, value: string]>> = {
  405: ["Allow", "GET, HEAD"],
  503: ["Retry-After", "5"],
};
