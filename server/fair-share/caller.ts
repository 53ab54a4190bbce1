import { AsyncLocalStorage } from "node:async_hooks";

/** The caller that the current code works for. Callers take turns. */
const current = new AsyncLocalStorage<string>();

/** The caller of work that nobody waits for, such as cleanup. All of it has the share of one caller. */
export const BACKGROUND = "background";

export const currentCaller = (): string => current.getStore() ?? BACKGROUND;

export const memberCaller = (userId: string): string => `member ${userId}`;

/** Names a caller whose identity is unknown or not proved yet, by the key that limits count as one client. */
export const clientCaller = (limitKey: string): string => `client ${limitKey}`;

/** Does work, and everything that it starts, on behalf of a caller. */
export const runAsCaller = <Result>(caller: string, work: () => Result): Result => current.run(caller, work);
