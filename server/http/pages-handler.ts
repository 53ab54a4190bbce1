import type { Handler } from "hono";
import type { Logger } from "../log/log.ts";
import { takeRandom } from "../secrets/take-random.ts";
import type { HttpEnv } from "./http-env.ts";
import type { Bytes } from "./listening/collect-body.ts";

/** What a page gets to know about its request. */
type PageScope = {
  nonce: string;
  requestId: string;
  clientAddress: string;
  log: Logger;
  /** Told of the pattern that the address matches. */
  onRoute: (pattern: string) => void;
  /** Takes a document that is there as a whole: the answer has no body then. */
  takeWhole: (document: Bytes) => void;
};
export type Pages = (request: Request, scope: PageScope) => Promise<Response>;

/** Hands what is neither a file nor an API call to React Router. */
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
    // After a redirect, or another answer than a page, the document that was made is not sent.
    if (response.body === null && isPage(response)) c.set("whole", whole);
    return complete(response);
  };
}

const isPage = ({ headers }: Response) => headers.get("Content-Type")?.startsWith("text/html") ?? false;

/** HEAD is answered as GET and loses its body on the way out, so that both have the same headers. */
const asGet = (request: Request) => (request.method === "HEAD" ? new Request(request, { method: "GET" }) : request);

/** React Router's answer when not even the error page could be rendered: no page at all. */
function isLastResort({ status, headers }: Response) {
  return status >= 500 && !/text\/(?:html|x-script)|json/.test(headers.get("Content-Type") ?? "");
}

/** What the status demands and a page cannot set: the error may be an API call's, or React Router's own. */
function complete(response: Response) {
  const [name, value] = DEMANDED[response.status] ?? [];
  if (!name || !value || response.headers.has(name)) return response;
  const headers = new Headers(response.headers);
  headers.set(name, value);
  return new Response(response.body, { status: response.status, headers });
}

const DEMANDED: Partial<Record<number, [name: string, value: string]>> = {
  405: ["Allow", "GET, HEAD"],
  503: ["Retry-After", "5"],
};
