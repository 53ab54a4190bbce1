import type { Db } from "../db/client.ts";
import { MAX_CLOCK_SKEW_MS } from "../db/clock.ts";
import { AppError } from "../errors.ts";
import { deriveKeys, isMadeByAny, sign, type Secrets } from "../secrets/secrets.ts";
import { takeRandom } from "../secrets/take-random.ts";
import type { BotCheck } from "./bot-check.ts";
import { spendToken } from "./queries.ts";

type EmbeddedBotCheckOptions = {
  db: Db;
  /** Shared by all processes of one installation. Tokens made with other secrets are refused. */
  secrets: Secrets;
  now: () => Date;
  /** How long a person needs at least between seeing a form and sending it, in milliseconds. */
  minFillMs?: number | undefined;
};

/** How long a form may stay open, in milliseconds. */
export const FORM_LIFETIME_MS = 2 * 60 * 60 * 1000;

const ID_BYTES = 16;
const TOKEN = /^([\w-]{22})\.([0-9a-z]{1,10})\.([\w-]{43})$/;
const START_OVER = "Please try again.";

/**
 * Creates the bot check that needs no other service and no JavaScript. A token is `<id>.<time of issue>.<HMAC-SHA256>`.
 * It works once, neither too soon nor too late. A unique key enforces single use across all processes.
 */
export function createEmbeddedBotCheck(options: EmbeddedBotCheckOptions): BotCheck {
  const { db, secrets, now, minFillMs = 300 } = options;
  const keys = deriveKeys(secrets, "bot check");

  return {
    issue() {
      const content = `${takeRandom(ID_BYTES).toString("base64url")}.${now().getTime().toString(36)}`;
      return { turnstileToken: `${content}.${sign(keys[0], content).toString("base64url")}` };
    },

    async verify(token) {
      const [, id = "", time = "", signature = ""] = TOKEN.exec(token) ?? [];
      if (!isMadeByAny(keys, digestOf(signature), (key) => sign(key, `${id}.${time}`)))
        refuse(`The bot check did not pass. ${START_OVER}`);
      const issuedAt = Number.parseInt(time, 36);
      const age = now().getTime() - issuedAt;
      // A process whose clock is ahead may have made it. Its time then says nothing about how long the form was open.
      const isFromAhead = age < 0 && age >= -MAX_CLOCK_SKEW_MS;
      if (age < minFillMs && !isFromAhead) refuse("The form was sent too quickly. Wait a moment and try again.", 1);
      if (age > FORM_LIFETIME_MS) refuse(`This form was open for too long. ${START_OVER}`);
      const isFirst = await spendToken(db, { tokenId: id, expiresAt: new Date(issuedAt + FORM_LIFETIME_MS) });
      if (!isFirst) refuse(`This form was already sent. ${START_OVER}`);
    },
  };
}

/**
 * Decodes a signature. The result always has a signature's length, so that a malformed one is compared like any other.
 */
function digestOf(signature: string) {
  const digest = Buffer.alloc(32);
  digest.write(signature, "base64url");
  return digest;
}

function refuse(message: string, retryAfter?: number): never {
  throw new AppError("BOT_CHECK_FAILED", message, { retryAfter });
}
