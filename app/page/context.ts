import { createContext, type RouterContextProvider } from "react-router";
import type { StatusReport } from "../../server/status/contract.ts";
import { measuringContext, openMeasuring } from "../analytics/measuring.ts";
import { AUTH_EVENT, type AuthEvent } from "../api/auth-event.ts";
import { outcomeContext, leaveOutcome } from "../outcome/outcome.ts";
import { createDeviceCookie, type Device } from "../session/device-cookie.ts";
import { isRepeated } from "../session/repeated.ts";
import { createSessionCookie, type Session, type SessionCookie } from "../session/session.ts";
import type { ApiLog } from "../api/call.ts";
import { createMissingCalls } from "../api/missing-calls.ts";
import { createApiClient, type ApiClient } from "../client/client.ts";
import type { IdentityContracts } from "../client/typed-data.ts";
import { openTransports, type BackendSettings } from "../api/transport.ts";

/** A request's context, from which loaders and actions take the values below. */
export type PageContext = Readonly<RouterContextProvider>;

/** The arguments of every loader and action. */
export type PageArgs = { context: PageContext; url: URL };
export type RequestArgs = PageArgs & { request: Request };

/** The API, called on behalf of the visitor or member who made the request. */
export const apiContext = createContext<ApiClient>();

/** The session of the request, and the cookie that begins or ends one. */
export const sessionContext = createContext<{ session: Session | null; cookie: SessionCookie }>();

/** Takes details first and the message second, as pino does. */
export const logContext = createContext<PageLog>();

type PageLog = ApiLog & { info: ApiLog["error"] };

/** Where the product is reached from outside, such as `https://nodebeat.example`. */
export const originContext = createContext<string>();

/** The contracts of the identity network, as far as this installation's own settings name them. */
export const contractsContext = createContext<IdentityContracts>();

/** Whether all data here is made up. */
export const demoContext = createContext<boolean>();

/**
 * The state of this installation's parts. Kept in memory, so that reading it costs nothing and works whatever is down.
 */
export const statusContext = createContext<() => StatusReport>();

/** The device token of the browser. The response to a sign-in also sets it as a cookie. */
const deviceContext = createContext<Device>();

export type PageBackend = Omit<BackendSettings, "embedded" | "client"> & {
  readStatus: () => StatusReport;
  /** One line for members while something is down or an incident is open. */
  readNotice: () => string | undefined;
  /** Opens the embedded API for one page, so that the page's calls can share their lookups. */
  openEmbedded: (clientAddress: string) => BackendSettings["embedded"];
  /** The configured public address. Without one, the request's own address counts. */
  publicUrl?: string | undefined;
  mode: "demo" | "production";
  /** The tag manager's container. Without one, nothing is measured. */
  gtmId?: string | undefined;
  /** For backends that do not provide one. */
  turnstileSiteKey?: string | undefined;
  /** The contract that wallets sign for, if the backend does not name it. */
  chainFactoryAddress?: string | undefined;
  chainDomainVersion?: string | undefined;
};

type Scope = { log: PageLog; clientAddress: string; requestId: string };

/** Creates the function that fills a page request's context with what loaders and actions need. */
export function createContextFiller({
  openEmbedded,
  publicUrl,
  mode,
  gtmId,
  readStatus,
  ...settings
}: Omit<PageBackend, "readNotice">) {
  const cookie = createSessionCookie(publicUrl);
  const devices = createDeviceCookie(publicUrl);
  const missing = createMissingCalls();
  const { turnstileSiteKey: siteKey, chainFactoryAddress: factory, chainDomainVersion: version = "1" } = settings;

  return async function fillContext(
    context: RouterContextProvider,
    request: Request,
    { log, clientAddress, requestId }: Scope,
  ) {
    const session = await cookie.read(request);
    const device = devices.read(request);
    const userAgent = request.headers.get("User-Agent") ?? "";
    const client = { address: clientAddress, userAgent, deviceToken: device.token, requestId };
    const transports = openTransports({ ...settings, client, embedded: openEmbedded(clientAddress) });
    const onEvent = (event: AuthEvent) => leaveOutcome(context, AUTH_EVENT, event);
    const origin = publicUrl ?? new URL(request.url).origin;
    const contracts = { factory, version };
    const installation = { origin, siteKey, contracts };
    const accessToken = session?.accessToken;
    context.set(
      apiContext,
      createApiClient({
        isRepeated: isRepeated(request),
        ...transports,
        accessToken,
        log,
        onEvent,
        missing,
        installation,
      }),
    );
    context.set(deviceContext, device);
    context.set(outcomeContext, new Map());
    context.set(sessionContext, { session, cookie });
    context.set(logContext, log);
    context.set(measuringContext, openMeasuring(request, gtmId));
    context.set(statusContext, readStatus);
    context.set(demoContext, mode === "demo");
    context.set(originContext, origin);
    context.set(contractsContext, contracts);
  };
}

/**
 * Adds to a response the cookies that its request has produced. After a sign-in, the browser keeps its device token.
 */
export function appendCookies(context: PageContext, response: Response): Response {
  const { cookie } = context.get(sessionContext);
  const { utmCookie } = context.get(measuringContext);
  const given = response.headers.getSetCookie();
  const begins = given.some((line) => cookie.isCommit(line));
  const all = [
    ...given,
    ...(begins ? context.get(deviceContext).toSetCookies() : []),
    ...context.get(outcomeContext).values(),
    ...(utmCookie ? [utmCookie] : []),
  ];
  if (all.length === 0) return response;
  const headers = new Headers(response.headers);
  headers.delete("Set-Cookie");
  const isSecure = context.get(originContext).startsWith("https:");
  for (const line of all) headers.append("Set-Cookie", isSecure ? secure(line) : line);
  return new Response(response.body, { status: response.status, headers });
}

/**
 * Behind a proxy, a request looks like plain http to the code that made the cookie. Only here is the public address
 * known.
 */
const secure = (line: string) => (/; Secure(?:;|$)/i.test(line) ? line : `${line}; Secure`);
