import { createVisitor } from "./test-pages.ts";

/** How a browser asks for pages: as documents, or as the data that scripts show in the document they are in. */
export type Asking = "document" | "data";

type RecordedAnswer = {
  /** Method and address. */
  target: string;
  status: number;
  /** What a browser can show, keep or pass on: the headers, but for the cookies, and the body. */
  text: string;
};

type Shown = { path: string; status: number; body: string };

/** How many redirects may follow one another. */
const MAX_STEPS = 5;

/**
 * Somebody with a browser that keeps cookies and follows redirects, in front of a running server; every answer and
 * every secret that a cookie brings is kept. `address` is where they come from.
 */
export function createRecordedVisitor(origin: string, { asking, address }: { asking: Asking; address: string }) {
  const answers: RecordedAnswer[] = [];
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
    for (const line of response.headers.getSetCookie()) keepSecrets(line);
    const shown = [...response.headers].filter(([name]) => name !== "set-cookie");
    const text = `${JSON.stringify(shown)}\n${await response.clone().text()}`;
    answers.push({ target: `${request.method} ${pathname}${search}`, status: response.status, text });
    return response;
  }

  function keepSecrets(line: string) {
    const [, name = "", sent = ""] = /^nodebeat_(\w+)=([^;]{40,})/.exec(line) ?? [];
    for (const secret of readSecrets(name, decodeURIComponent(sent))) secrets.set(...secret);
  }

  async function ask(path: string, form?: Record<string, string>): Promise<Shown> {
    let response = await (form ? visitor.post(toAsked(path, asking), form) : visitor.get(toAsked(path, asking)));
    let body = await response.text();
    let at = path;
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const told = response.headers.get("Location") ?? response.headers.get("X-Remix-Redirect");
      const next = told ?? /"redirect","([^"]+)"/.exec(body)?.[1];
      if (next === undefined) break;
      at = next;
      response = await visitor.get(toAsked(next, asking));
      body = await response.text();
    }
    return { path: at, status: response.status, body };
  }

  return {
    answers,
    /** What the cookies brought that works as a credential, and what kind it is. */
    secrets,
    /** Opens a page; returns where that led to. */
    open: (path: string) => ask(path),
    /** Sends a form. */
    send: ask,
    /** A page as a document, however this browser asks otherwise. */
    async read(path: string): Promise<string> {
      return (await visitor.get(path)).text();
    },
  };
}

function toAsked(path: string, asking: Asking): string {
  const { pathname, search } = new URL(path, "http://nodebeat.test");
  return asking === "document" ? pathname + search : `${pathname}.data${search}`;
}

/** The whole value of a cookie works for whoever has it, and so does each token in it. */
function readSecrets(name: string, value: string): [secret: string, kind: string][] {
  if (name === "") return [];
  if (!value.startsWith("ey")) return [[value, name]];
  const kept: unknown = JSON.parse(Buffer.from(value, "base64").toString());
  const tokens = Object.entries(kept ?? {}).filter(([key]) => /token$/i.test(key));
  return [[value, name], ...tokens.map(([, token]): [string, string] => [String(token), name])];
}
