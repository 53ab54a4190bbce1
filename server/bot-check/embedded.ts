import { createHmac, createSecretKey, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import type { Db } from "../db/client.ts";
import { AppError } from "../errors.ts";
import type { BotCheck } from "./bot-check.ts";
import { spendToken } from "./queries.ts";

export type EmbeddedBotCheckOptions = {
  db: Db;
  /** What every process of one installation shares; tokens made with another one are refused. */
  secret: string;
  now: () => Date;
  /** Milliseconds a person needs at least between seeing a form and sending it. */
  minFillMs?: number | undefined;
  /** Milliseconds a form may stay open. */
  lifetimeMs?: number;
};

const ID_BYTES = 16;
const TOKEN = /^([\w-]{22})\.([0-9a-z]{1,10})\.([\w-]{43})$/;
const START_OVER = "Please try again.";

/**
 * The bot check that needs no other service and no JavaScript: `<id>.<time of issue>.<HMAC-SHA256>`, which is
 * good once, not too soon and not too late. Single use is decided by a unique key, so by all processes together.
 */
export function createEmbeddedBotCheck(options: EmbeddedBotCheckOptions): BotCheck {
  const { db, secret, now, minFillMs = 300, lifetimeMs = 2 * 60 * 60 * 1000 } = options;
  const key = createSecretKey(Buffer.from(hkdfSync("sha256", secret, "", "nodebeat bot check", 32)));
  const sign = (content: string) => createHmac("sha256", key).update(content).digest();

  return {
    issue() {
      const content = `${randomBytes(ID_BYTES).toString("base64url")}.${now().getTime().toString(36)}`;
      return { turnstileToken: `${content}.${sign(content).toString("base64url")}` };
    },

    async verify(token) {
      const [, id = "", time = "", signature = ""] = TOKEN.exec(token) ?? [];
      if (!timingSafeEqual(sign(`${id}.${time}`), digestOf(signature)))
        refuse(`The bot check did not pass. ${START_OVER}`);
      const issuedAt = Number.parseInt(time, 36);
      const age = now().getTime() - issuedAt;
      if (age < minFillMs) refuse(`That was too quick for a person. Wait a moment and try again.`, 1);
      if (age > lifetimeMs) refuse(`This form was open for too long. ${START_OVER}`);
      const isFirst = await spendToken(db, { tokenId: id, expiresAt: new Date(issuedAt + lifetimeMs) });
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
