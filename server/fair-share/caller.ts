import { AsyncLocalStorage } from "node:async_hooks";

/** Whose work the current code does: what callers take turns by. */
const current = new AsyncLocalStorage<string>();

/** What nobody waits for, such as clearing up: has a share like one caller's. */
export const BACKGROUND = "background";

export const currentCaller = (): string => current.getStore() ?? BACKGROUND;

export const memberCaller = (userId: string): string => `member ${userId}`;

/** Somebody who has not said who they are, or has not proved it yet, by what limits count as one client. */
export const clientCaller = (limitKey: string): string => `client ${limitKey}`;

/** Does work, and what it begins, on behalf of a caller. */
export const actFor = <Result>(caller: string, work: () => Result): Result => current.run(caller, work);
