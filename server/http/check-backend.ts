import * as z from "zod";
import type { Status } from "../db/unavailable.ts";
import type { Backend } from "./pass-on.ts";
import { readText } from "./read-text.ts";

/** Milliseconds that a backend has for its answers. */
const LIMIT = 3_000;

/** Bytes that are read of one: more than any page has that it shows for what it does not know. */
const MOST_BYTES = 4 * 1024 * 1024;

const Refusal = z.object({ error: z.literal("INVALID_API_KEY") });

type Options = Backend & { authApiKey?: string | undefined };

/**
 * Makes the question whether the backend can be asked: that it answers, is ready where it says so, and takes our key.
 * Another backend than ours need not have these addresses: whatever it says of them (also "not implemented", or where
 * else to go, which nobody does), it is there.
 */
export function createBackendCheck({ apiUrl, authApiUrl = apiUrl, authApiKey }: Options, limit = LIMIT) {
  const headers = new Headers(authApiKey ? { "x-api-key": authApiKey } : {});

  async function ask(name: string, base: string, path: string, init: RequestInit = {}): Promise<Status> {
    try {
      const signal = AbortSignal.timeout(limit);
      const url = base.replace(/\/$/, "") + path;
      const response = await fetch(url, { ...init, signal, redirect: "manual" });
      const text = await readText(response, MOST_BYTES);
      if (hasMoved(response, url))
        return { ok: false, reason: `${name} redirects to another address, and redirects are not followed.` };
      if (response.status >= 500 && response.status !== 501)
        return { ok: false, reason: `${name} answers ${response.status}.` };
      return isRefusal(text) ? { ok: false, reason: `${name} refuses AUTH_API_KEY.` } : { ok: true };
    } catch {
      return { ok: false, reason: `${name} does not answer.` };
    }
  }

  async function look(): Promise<Status> {
    const [main, auth] = await Promise.all([
      ask("The API", apiUrl, "/readyz"),
      ask("The API for authentication", authApiUrl, "/api/auth/bot-check", { headers }),
    ]);
    return main.ok ? auth : main;
  }

  let looking: Promise<Status> | undefined;
  /** One look for all who ask meanwhile: /readyz is open to anybody, who would ask the backend as often. */
  return function checkBackend(): Promise<Status> {
    looking ??= look().finally(() => (looking = undefined));
    return looking;
  };
}

/** Whether it leads to the same path elsewhere, as http does to https: then it does so with every call. */
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
