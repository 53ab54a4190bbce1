import type { Db } from "../db/client.ts";
import { CLOCKS_APART } from "../db/clock.ts";
import { AppError } from "../errors.ts";
import { deriveKeys, isMadeByAny, sign, type Secrets } from "../secrets/secrets.ts";
import { takeRandom } from "../secrets/take-random.ts";
import type { BotCheck } from "./bot-check.ts";
import { spendToken } from "./queries.ts";

type EmbeddedBotCheckOptions = {
  db: Db;
  /** What every process of one installation shares; tokens made with other ones are refused. */
  secrets: Secrets;
  now: () => Date;
  /** Milliseconds a person needs at least between seeing a form and sending it. */
  minFillMs?: number | undefined;
};

/** Milliseconds that a form may stay open. */
export const FORM_LIFETIME_MS = 2 * 60 * 60 * 1000;

const ID_BYTES = 16;
const TOKEN = /^([\w-]{22})\.([0-9a-z]{1,10})\.([\w-]{43})$/;
const START_OVER = "Please try again.";

/**
 * The bot check that needs no other service and no JavaScript: `<id>.<time of issue>.<HMAC-SHA256>`, which is
 * good once, not too soon and not too late. Single use is decided by a unique key, so by all processes together.
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
      // Another process, whose clock is ahead, may have made it: then it says nothing of how long the form was open.
      const isFromAhead = age < 0 && age >= -CLOCKS_APART;
      if (age < minFillMs && !isFromAhead) refuse("The form was sent too quickly. Wait a moment and try again.", 1);
      if (age > FORM_LIFETIME_MS) refuse(`This form was open for too long. ${START_OVER}`);
      const isFirst = await spendToken(db, { tokenId: id, expiresAt: new Date(issuedAt + FORM_LIFETIME_MS) });
      if (!isFirst) refuse(`This form was already sent. ${START_OVER}`);
    },
  };
}

/** Always as long as a signature, so that a malformed one is compared like any other. */
function digestOf(signature: string) {
  const digest = Buffer.alloc(32);
  digest.write(signature, "base64url");
  return digest;
}

function refuse(message: string, retryAfter?: number): never {
  throw new AppError("BOT_CHECK_FAILED", message, { retryAfter });
}
