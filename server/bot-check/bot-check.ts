import type { BotCheckToken } from "../auth/contract.ts";
import type { Client } from "../http/client.ts";

/** Tells people from bots at forms that anyone can send. */
export type BotCheck = {
  /** A fresh token for one form; or, where the token is made in the browser, the site key that it takes. */
  issue(): BotCheckToken;
  /** Accepts a token once. Throws BOT_CHECK_FAILED with a sentence that says what to do. */
  verify(token: string, client: Pick<Client, "address">): Promise<void>;
};
