import type { BotCheckToken } from "../auth/contract.ts";
import type { Client } from "../http/client.ts";

/** Tells people from bots, for forms that anyone can send. */
export type BotCheck = {
  /** Returns a fresh token for one form. If the token is made in the browser, returns the site key for it instead. */
  issue(): BotCheckToken;
  /** Accepts a token once. Throws BOT_CHECK_FAILED with a message that says what to do. */
  verify(token: string, client: Pick<Client, "address">): Promise<void>;
};
