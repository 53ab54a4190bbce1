import { randomUUID } from "node:crypto";
import * as z from "zod";
import { AppError } from "../errors.ts";
import { readText } from "../http/read-text.ts";
import type { Logger } from "../log/log.ts";
import type { BotCheck } from "./bot-check.ts";

type TurnstileOptions = {
  siteKey: string;
  secretKey: string;
  log: Logger;
  /** The address that checks tokens. Cloudflare's own by default. */
  verifyUrl?: string | undefined;
};

const SITE_VERIFY = "https://challenges.cloudflare.com/turnstile/v0/siteverify";
const TIME_OUT_MS = 5_000;
const RETRY_AFTER = 5;
/** How many bytes of a verdict are read. It has a few hundred. */
const MAX_BYTES = 64 * 1024;

const Verdict = z.object({ success: z.boolean(), "error-codes": z.array(z.string()).default([]) });

/**
 * Error codes for faults of our settings, not of the visitor:
 * https://developers.cloudflare.com/turnstile/get-started/server-side-validation
 */
const OUR_FAULT = new Set(["missing-input-secret", "invalid-input-secret", "bad-request", "internal-error"]);

/** Creates the bot check of Cloudflare Turnstile. The browser gets the token, and Cloudflare checks it. */
export function createTurnstile({ siteKey, secretKey, log, verifyUrl = SITE_VERIFY }: TurnstileOptions): BotCheck {
  /** Returns the error for a visitor, and logs why for the operator. Nobody can sign in until it is fixed. */
  function unavailable(cause: unknown): AppError {
    log.error({ err: cause }, "Turnstile could not check anybody");
    return new AppError("UNAVAILABLE", "The bot check cannot be reached right now. Please try again in a moment.", {
      retryAfter: RETRY_AFTER,
      cause,
    });
  }

  return {
    issue: () => ({ turnstileToken: "", siteKey }),

    async verify(token, { address }) {
      const body = new URLSearchParams({ secret: secretKey, response: token, idempotency_key: randomUUID() });
      if (address) body.set("remoteip", address);
      const verdict = await ask(verifyUrl, body).catch((cause: unknown) => {
        throw unavailable(cause);
      });
      if (verdict.success) return;
      const codes = verdict["error-codes"];
      if (codes.some((code) => OUR_FAULT.has(code))) throw unavailable(new Error(codes.join(", ")));
      const isSpent = codes.includes("timeout-or-duplicate");
      const reason = isSpent ? "The bot check has expired." : "The bot check did not pass.";
      throw new AppError("BOT_CHECK_FAILED", `${reason} Please try again.`);
    },
  };
}

async function ask(url: string, body: URLSearchParams) {
  const signal = AbortSignal.timeout(TIME_OUT_MS);
  const response = await fetch(url, { method: "POST", body, redirect: "error", signal });
  return Verdict.parse(JSON.parse(await readText(response, MAX_BYTES)));
}
