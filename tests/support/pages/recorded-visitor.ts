import { createVisitor } from "./test-pages.ts";

/** How a browser requests pages: as documents, or as the data that scripts show in the current document. */
export type RequestKind = "document" | "data";

type RecordedResponse = {
  /** The method and the address. */
  target: string;
  status: number;
  /** Everything that a browser can show, store or pass on: the headers without cookies, and the body. */
  text: string;
};

type Shown = { path: string; status: number; body: string };

/** How many redirects may follow one another. */
const MAX_STEPS = 5;

/**
 * Creates a visitor whose browser keeps cookies and follows redirects, in front of a running server. Records every
 * response, and every secret in a cookie. `address` is the visitor's IP address.
 */
export function createRecordedVisitor(
  origin: string,
  { requestKind, address }: { requestKind: RequestKind; address: string },
) {
  const answers: RecordedResponse[] = [];
  const secrets = new Map<string, string>();
  const visitor = createVisitor({ fetch: record });

  async function record(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const headers = new Headers(request.headers);
    headers.set("X-Forwarded-For", address);
    const body = request.method === "POST" ? await request.text() : null;
    const response = await fetch(origin + pathname + search, {
      method: request.method,
      headers,
      body,
      redirect: "manual",
    });
    for (const line of response.headers.getSetCookie()) collectSecrets(line);
    const shown = [...response.headers].filter(([name]) => name !== "set-cookie");
    const text = `${JSON.stringify(shown)}\n${await response.clone().text()}`;
    answers.push({ target: `${request.method} ${pathname}${search}`, status: response.status, text });
    return response;
  }

  function collectSecrets(line: string) {
    const [, name = "", sent = ""] = /^nodebeat_(\w+)=([^;]{40,})/.exec(line) ?? [];
    for (const secret of readSecrets(name, decodeURIComponent(sent))) secrets.set(...secret);
  }

  async function ask(path: string, form?: Record<string, string>): Promise<Shown> {
    let response = await (form
      ? visitor.post(toRequestPath(path, requestKind), form)
      : visitor.get(toRequestPath(path, requestKind)));
    let body = await response.text();
    let at = path;
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const location = response.headers.get("Location") ?? response.headers.get("X-Remix-Redirect");
      const next = location ?? /"redirect","([^"]+)"/.exec(body)?.[1];
      if (next === undefined) break;
      at = next;
      response = await visitor.get(toRequestPath(next, requestKind));
      body = await response.text();
    }
    return { path: at, status: response.status, body };
  }

  return {
    answers,
    /** The secrets from cookies that work as credentials, with their kinds. */
    secrets,
    /** Opens a page, and returns the one where redirects lead. */
    open: (path: string) => ask(path),
    /** Sends a form. */
    send: ask,
    /** Returns a page as a document, however this browser requests pages otherwise. */
    async read(path: string): Promise<string> {
      return (await visitor.get(path)).text();
    },
  };
}

function toRequestPath(path: string, requestKind: RequestKind): string {
  const { pathname, search } = new URL(path, "http://nodebeat.test");
  return requestKind === "document" ? pathname + search : `${pathname}.data${search}`;
}

/** A cookie's whole value works for anyone who has it, and so does each token in it. */
function readSecrets(name: string, value: string): [secret: string, kind: string][] {
  if (name === "") return [];
  if (!value.startsWith("ey")) return [[value, name]];
  const kept: unknown = JSON.parse(Buffer.from(value, "base64").toString());
  const tokens = Object.entries(kept ?? {}).filter(([key]) => /token$/i.test(key));
  return [[value, name], ...tokens.map(([, token]): [string, string] => [String(token), name])];
}
