import { AsyncLocalStorage } from "node:async_hooks";

/** Whose work the current code does: what callers take turns by. */
const current = new AsyncLocalStorage<string>();

/** The caller of work that nobody waits for, such as clearing up: all of it has the share of one caller. */
export const BACKGROUND = "background";

export const currentCaller = (): string => current.getStore() ?? BACKGROUND;

export const memberCaller = (userId: string): string => `member ${userId}`;

/** Somebody who has not said who they are, or has not proved it yet, by what limits count as one client. */
export const clientCaller = (limitKey: string): string => `client ${limitKey}`;

/** Does work, and what it begins, on behalf of a caller. */
export const actFor = <Result>(caller: string, work: () => Result): Result => current.run(caller, work);
