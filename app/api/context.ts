import { createContext, type RouterContextProvider } from "react-router";
import { createSessionCookie, type Session, type SessionCookie } from "../auth/session.ts";
import type { ApiLog } from "./call.ts";
import { createApiClient, type ApiClient } from "./client.ts";
import { openTransports, type BackendSettings } from "./transport.ts";

/** The API in the name of whoever made the request. */
export const apiContext = createContext<ApiClient>();

/** The session of the request, and the cookie that begins or ends one. */
export const sessionContext = createContext<{ session: Session | null; cookie: SessionCookie }>();

/** Takes details first and the message second, as pino does. */
export const logContext = createContext<ApiLog>();

/** Where the product is reached from outside, such as `https://nodebeat.example`. */
export const originContext = createContext<string>();

/** Whether everything here is made up. */
export const demoContext = createContext<boolean>();

export type PageBackend = Omit<BackendSettings, "embedded"> & {
  /** Opens the embedded API for one page, so that the page's calls can share what they look up. */
  openEmbedded: () => BackendSettings["embedded"];
  /** The public address, when it is configured; the request's own otherwise. */
  publicUrl?: string | undefined;
  mode: "demo" | "production";
};

/** Makes the function that puts into a page request's context what loaders and actions need. */
export function createContextFiller({ openEmbedded, publicUrl, mode, ...settings }: PageBackend) {
  const cookie = createSessionCookie(publicUrl);

  return async function fillContext(context: RouterContextProvider, request: Request, log: ApiLog): Promise<void> {
    const session = await cookie.read(request);
    const transports = openTransports({ ...settings, embedded: openEmbedded() });
    context.set(apiContext, createApiClient({ ...transports, accessToken: session?.accessToken, log }));
    context.set(sessionContext, { session, cookie });
    context.set(logContext, log);
    context.set(demoContext, mode === "demo");
    context.set(originContext, publicUrl ?? new URL(request.url).origin);
  };
}
