import { RouterContextProvider } from "react-router";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, vi } from "vitest";
import { FORM_INTENT } from "../../../app/administration/form-fields.ts";
import { appendCookies, createContextFiller, type PageBackend } from "../../../app/page/context.ts";
import { createSessionCookie, type Session } from "../../../app/session/session.ts";
import type { Outcome } from "../../../app/outcome/outcome.ts";
import { createPageHandler } from "../../../app/page/page-handler.ts";
import { requestContext } from "../../../app/page/request-context.ts";
import { createBoard } from "../../../server/status/board.ts";
import { createCallScope, type CallScope } from "../../../server/http/call-scope.ts";
import type { Endpoint } from "../../../server/http/contract.ts";
import { fillPath, type Reading } from "../../../server/http/read-in-process.ts";
import type { LegalDocumentName } from "../../../server/legal/contract.ts";
import { onboardMember } from "../../../server/onboarding/service.ts";
import type { User } from "../../../server/profile/contract.ts";
import { seedAdministrator } from "../api/administration.ts";
import { seedMember, type createTestApi } from "../api/api.ts";
import { AUTH_URL, createMswBackend, MAIN_URL } from "../samples/msw-backend.ts";
import { createServerBuild } from "../servers/server-build.ts";
import type { TestDatabase } from "../database/test-database.ts";

type TestApi = ReturnType<typeof createTestApi>;

/** How the pages reach the API. */
export const TRANSPORTS = ["embedded", "http"] as const;
type Transport = (typeof TRANSPORTS)[number];

type Handler = (request: Request) => Response | Promise<Response>;
type Log = (details: object, message: string) => void;

const ORIGIN = "http://nodebeat.test";
/** The address of all visitors. */
const CLIENT_ADDRESS = "203.0.113.7";

/** The site's settings, for tests where they matter: its address, analytics, and whether it is a demo. */
type Site = Partial<Omit<PageBackend, "openEmbedded">>;

/** Creates the pages, in front of an API that is called in process or, through MSW, over HTTP. */
export function createTestPages(
  transport: Transport,
  api: Pick<TestApi, "fetchWithin"> & Partial<Pick<TestApi, "readWithin">>,
  site: Site = {},
) {
  const calls: string[] = [];
  const overrides = new Map<string, Handler>();
  async function handleRequest(request: Request, scope?: CallScope): Promise<Response> {
    const call = `${request.method} ${new URL(request.url).pathname}`;
    calls.push(call);
    const override = overrides.get(call) ?? overrides.get("everything");
    return override ? override(request) : api.fetchWithin(request, scope);
  }

  const remote = createMswBackend(handleRequest);
  const board = createBoard({ now: () => new Date() });
  const status = { readStatus: board.report, readNotice: board.notice };
  const settings = { mode: "production", ...status, ...site } as const;
  const backend: PageBackend =
    transport === "http"
      ? {
          apiUrl: MAIN_URL,
          authApiUrl: AUTH_URL,
          ...settings,
          openEmbedded: () => ({ fetch: () => Promise.reject(new Error("not embedded")) }),
        }
      : { ...settings, openEmbedded };
  function openEmbedded(clientAddress: string) {
    const scope = createCallScope(clientAddress);
    const fetch = async (request: Request) => failIfError(await handleRequest(request, scope));
    // A test's own answers replace requests, so reads must not bypass those.
    if (overrides.size > 0 || !api.readWithin) return { fetch };
    const { readWithin } = api;
    const read = (reading: Reading) => {
      calls.push(`GET ${fillPath(reading.path, reading.params)}`);
      return readWithin(reading, scope);
    };
    return { fetch, read };
  }
  let fillContext = createContextFiller(backend);
  const handle = createPageHandler(createServerBuild(), "production");
  const log = { error: vi.fn<Log>(), info: vi.fn<Log>() };
  const reportError = vi.fn<(error: unknown) => void>();
  const routes: string[] = [];

  return {
    log,
    reportError,
    /** The calls made to the API so far, such as `GET /api/user`. */
    calls,
    /** The route patterns requested so far, such as `/wallet/:purpose`. */
    routes,
    start: () => remote.listen(),
    reset() {
      calls.length = 0;
      overrides.clear();
      // Also drops what it has cached about its backend.
      fillContext = createContextFiller(backend);
      log.error.mockClear();
      log.info.mockClear();
      reportError.mockClear();
    },
    stop: () => remote.close(),
    /** Answers a call instead of the API. `Response.error()` stands for no response at all. */
    override(endpoint: Pick<Endpoint, "method" | "path"> | "everything", respond: Handler) {
      overrides.set(endpoint === "everything" ? endpoint : `${endpoint.method} ${endpoint.path}`, respond);
    },
    async fetch(request: Request): Promise<Response> {
      const context = new RouterContextProvider();
      context.set(requestContext, {
        nonce: "nonce",
        requestId: "request-1",
        reportError,
        onRoute: (pattern) => routes.push(pattern),
        notice: backend.readNotice(),
      });
      await fillContext(context, request, { log, clientAddress: CLIENT_ADDRESS, requestId: "request-1" });
      return appendCookies(context, await handle(request, context));
    },
  };
}

type TestPages = ReturnType<typeof createTestPages>;

/** Turns a missing response into a rejection, in process. Over HTTP, MSW does this. */
function failIfError(response: Response): Response {
  if (response.type === "error") throw new TypeError("fetch failed");
  return response;
}

/** Creates a visitor whose browser keeps cookies, but follows no redirects and runs no scripts. */
export function createVisitor(pages: Pick<TestPages, "fetch">) {
  const cookies = new Map<string, string>();

  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (cookies.size > 0) headers.set("Cookie", Array.from(cookies, ([name, value]) => `${name}=${value}`).join("; "));
    const response = await pages.fetch(new Request(new URL(path, ORIGIN), { ...init, headers }));
    for (const line of response.headers.getSetCookie()) storeCookie(line);
    return response;
  }

  function storeCookie(line: string) {
    const [pair = "", ...attributes] = line.split("; ");
    const [name = "", value = ""] = pair.split(/=(.*)/s);
    if (attributes.includes("Max-Age=0")) cookies.delete(name);
    else cookies.set(name, value);
  }

  return {
    cookies,
    get: (path: string, headers: Record<string, string> = {}) => send(path, { headers }),
    post: (path: string, form: Record<string, string> = {}) =>
      send(path, { method: "POST", body: new URLSearchParams(form) }),
    send,
    /** Puts a session into the browser, as a sign-in does. */
    async begin(session: Session) {
      storeCookie(await createSessionCookie(undefined).commit(session));
    },
  };
}

export type Visitor = ReturnType<typeof createVisitor>;

type Journeys = {
  pages: TestPages;
  /** Returns a visitor with the session of a new member. */
  visitMember: (options?: {
    onboarded?: boolean;
    userId?: boolean;
    whitelisted?: boolean;
    accepted?: readonly LegalDocumentName[];
  }) => Promise<Visit>;
  /** Returns a visitor with the session of a new administrator, and a function that sends a form with a reason. */
  visitAdministrator: (email?: string, reason?: string) => Promise<Visit & { send: SendForm }>;
};
type Visit = { visitor: Visitor; user: User; token: string };
type SendForm = (path: string, intent: string, fields?: Record<string, string>) => Promise<Response>;

type Described = [database: TestDatabase, api: TestApi, describeJourneys: (journeys: Journeys) => void, site?: Site];

/**
 * Describes journeys with the API in process, each test on an empty database. Over HTTP the answers are the same
 * (server/http/read-in-process.test.ts): tests use both transports for sign-ins, and for unexpected answers.
 */
export const describePages = (...described: Described): void => describePagesOver(["embedded"], ...described);

/** The same, over the given transports. */
export function describePagesOver(transports: readonly Transport[], ...described: Described): void {
  const [database, api, describeJourneys, site = {}] = described;
  describe.each(transports)("over the %s transport", (transport) => {
    const pages = createTestPages(transport, api, site);
    beforeAll(() => pages.start());
    beforeEach(() => database.reset());
    afterEach(() => pages.reset());
    afterAll(() => pages.stop());

    describeJourneys({
      pages,
      async visitMember({ onboarded = true, userId = true, whitelisted = false, accepted } = {}) {
        const visitor = createVisitor(pages);
        const { user, token } = await seedMember(api.deps, {
          isWhitelisted: whitelisted,
          ...(accepted && { accepted }),
        });
        if (onboarded) await onboardMember(api.deps, user.id);
        await visitor.begin({ accessToken: token, ...(userId && { userId: user.id }) });
        return { visitor, user, token };
      },
      async visitAdministrator(email, reason = "Agreed") {
        const visitor = createVisitor(pages);
        const { user, token } = await seedAdministrator(api.deps, email);
        await visitor.begin({ accessToken: token, userId: user.id });
        const send: SendForm = (path, intent, fields) =>
          visitor.post(path, { [FORM_INTENT]: intent, member: user.id, reason, ...fields });
        return { visitor, user, token, send };
      },
    });
  });
}

/** Lists the messages to a visitor that no page has shown yet. */
export const listUnreadMessages = ({ cookies }: Visitor, { kind, to }: Outcome): string[] =>
  Array.from(cookies).flatMap(([name, value]) =>
    name.startsWith(`${kind}_${to}_`) ? [decodeURIComponent(value)] : [],
  );

/** Loads a page as its reader gets it. */
export async function readPage(
  visitor: Visitor,
  path: string,
): Promise<{ status: number; html: string; text: string }> {
  const response = await visitor.get(path);
  const html = await response.text();
  return { status: response.status, html, text: readText(html) };
}

/** Expects that the response ends the session, and redirects to a page that does not redirect again. */
export async function expectSignedOut(response: Response, visitor: Visitor, location: string): Promise<void> {
  expect([response.status, response.headers.get("Location")]).toEqual([302, location]);
  expect(visitor.cookies.has("nodebeat_session")).toBe(false);
  expect((await visitor.get(location)).status).toBe(200);
}

/** Returns the attributes of the first form field with this name, or undefined if there is none. */
export const findField = (html: string, name: string): Record<string, string> | undefined =>
  listTags(html, "input|select|button").find((attributes) => attributes.name === name);

/** Returns the attributes of each field that can be filled in. */
export const listFields = (html: string) => listTags(html, "input|select|textarea");

export const listLabels = (html: string) => listTags(html, "label");

const listTags = (html: string, names: string) =>
  (html.match(new RegExp(`<(?:${names})\\b[^>]*>`, "g")) ?? []).map(readAttributes);

/** Returns the text of an element without child elements, or undefined if there is no such id. */
export function readById(html: string, id: string): string | undefined {
  const [, content] = new RegExp(`<\\w+ [^>]*\\bid="${id}"[^>]*>(.*?)</`, "s").exec(html) ?? [];
  return content === undefined ? undefined : readText(content).trim();
}

/** Returns the text that describes the first form field with this name: its hint and its errors. */
export const readDescription = (html: string, name: string): string =>
  (findField(html, name)?.["aria-describedby"]?.split(" ") ?? []).map((id) => readById(html, id)).join(" ");

/** Returns the action of the first form that has a field with this name. */
export function findAction(html: string, field: string): string {
  const [, attributes = ""] = new RegExp(`<form\\b([^>]*)>(?:(?!</form>).)*name="${field}"`, "s").exec(html) ?? [];
  return (readAttributes(attributes).action ?? "").replaceAll("&amp;", "&");
}

function readAttributes(tag: string): Record<string, string> {
  return Object.fromEntries(
    Array.from(tag.matchAll(/ ([\w-]+)="([^"]*)"/g), ([, name = "", value = ""]) => [name, value]),
  );
}

/** Returns the text of a page, without tags, scripts and styles. */
export function readText(html: string): string {
  return html
    .replaceAll(/<(script|style|head)\b.*?<\/\1>/gs, " ")
    .replaceAll(/<!--.*?-->/gs, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&amp;", "&")
    .replaceAll("&#x27;", "'")
    .replaceAll(/\s+/g, " ");
}
