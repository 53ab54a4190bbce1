import { AsyncLocalStorage } from "node:async_hooks";
import { limitKeyOf } from "../http/client.ts";

/** Whose work the current code does: what callers take turns by. */
const current = new AsyncLocalStorage<string>();

/** What nobody waits for, such as clearing up: has a share like one caller's. */
export const BACKGROUND = "background";

export const currentCaller = (): string => current.getStore() ?? BACKGROUND;

export const memberCaller = (userId: string): string => `member ${userId}`;

/** Somebody who has not said who they are, or has not proved it yet. */
export const clientCaller = (address: string): string => `client ${limitKeyOf(address)}`;

/** Does work, and what it begins, on behalf of a caller. */
export const actFor = <Result>(caller: string, work: () => Result): Result => current.run(caller, work);
