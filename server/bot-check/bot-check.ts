/** Tells people from bots at forms that anyone can send. */
export type BotCheck = {
  /** A fresh token for one form. An engine whose token is made in the browser has none to give. */
  issue(): Promise<string> | string;
  /** Accepts a token once. Throws BOT_CHECK_FAILED with a sentence that says what to do. */
  verify(token: string): Promise<void>;
};
