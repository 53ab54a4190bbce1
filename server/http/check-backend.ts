import * as z from "zod";
import type { Status } from "../db/unavailable.ts";
import type { Backend } from "./pass-on.ts";
import { readText } from "./read-text.ts";

/** How long the backend may take to answer, in milliseconds. */
const LIMIT = 3_000;

/** The most bytes to read of an answer: more than any "not found" page has. */
const MAX_BYTES = 4 * 1024 * 1024;

const Refusal = z.object({ error: z.literal("INVALID_API_KEY") });

type Options = Backend & { authApiKey?: string | undefined };

/**
 * Creates a check of the backend: it must answer, must be ready if it reports readiness, and must accept our key. Other
 * backends need not have these two addresses. Almost any answer shows that the backend is there, even 404, 501 ("not
 * implemented") or a redirect to a different path, which is not followed. Only other server errors do not.
 */
export function createBackendCheck({ apiUrl, authApiUrl = apiUrl, authApiKey }: Options, limit = LIMIT) {
  const headers = new Headers(authApiKey ? { "x-api-key": authApiKey } : {});

  async function ask(name: string, base: string, path: string, init: RequestInit = {}): Promise<Status> {
    try {
      const signal = AbortSignal.timeout(limit);
      const url = base.replace(/\/$/, "") + path;
      const response = await fetch(url, { ...init, signal, redirect: "manual" });
      const text = await readText(response, MAX_BYTES);
      if (hasMoved(response, url))
        return { ok: false, reason: `${name} redirects to another address, and redirects are not followed.` };
      if (response.status >= 500 && response.status !== 501)
        return { ok: false, reason: `${name} answers ${response.status}.` };
      return isRefusal(text) ? { ok: false, reason: `${name} refuses AUTH_API_KEY.` } : { ok: true };
    } catch {
      return { ok: false, reason: `${name} does not answer.` };
    }
  }

  async function check(): Promise<Status> {
    const [main, auth] = await Promise.all([
      ask("The API", apiUrl, "/readyz"),
      ask("The API for authentication", authApiUrl, "/api/auth/bot-check", { headers }),
    ]);
    return main.ok ? auth : main;
  }

  let checking: Promise<Status> | undefined;
  /**
   * Shares one check among simultaneous callers. /readyz is public, and would otherwise pass its load on to the
   * backend.
   */
  return function checkBackend(): Promise<Status> {
    checking ??= check().finally(() => (checking = undefined));
    return checking;
  };
}

/**
 * Whether a response redirects to the same path on another origin, as from http to https. Then every call would be
 * redirected.
 */
function hasMoved({ headers, status }: Response, url: string): boolean {
  const to = status < 400 ? URL.parse(headers.get("Location") ?? "", url) : null;
  const from = new URL(url);
  return to !== null && to.origin !== from.origin && to.pathname === from.pathname;
}

function isRefusal(text: string): boolean {
  try {
    return Refusal.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}
