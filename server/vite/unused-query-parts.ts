import type { Plugin } from "vite";

/** Replaces the cache of mutations. Writes are forms here, so none ever waits for a connection. */
const NO_WRITES = "export class MutationCache { resumePausedMutations = async () => []; clear() {} }";
/** Replaces infinite lists: ours have pages. */
const NO_ENDLESS_LISTS = `
export const infiniteQueryBehavior = () => undefined;
export const hasNextPage = () => false;
export const hasPreviousPage = () => false;`;
/** Replaces what lets an application bring its own timers. */
const PLATFORM_TIMERS = `
export class TimeoutManager {}
export const defaultTimeoutProvider = globalThis;
export const timeoutManager = globalThis;
export const systemSetTimeoutZero = (callback) => setTimeout(callback, 0);`;

const PARTS = new Map([
  ["mutationCache", NO_WRITES],
  ["infiniteQueryBehavior", NO_ENDLESS_LISTS],
  ["timeoutManager", PLATFORM_TIMERS],
]);
const PART = /\/node_modules\/@tanstack\/query-core\/build\/modern\/(\w+)\.js/;

/** Removes parts of React Query that no page uses, but that it creates or calls all the same. */
export const unusedQueryPartsPlugin = (): Plugin => ({
  name: "nodebeat:unused-query-parts",
  apply: "build",
  applyToEnvironment: ({ name }) => name === "client",
  transform: {
    filter: { id: PART },
    handler(_, id) {
      const code = PARTS.get(PART.exec(id)?.[1] ?? "");
      return code && { code, map: null };
    },
  },
});
