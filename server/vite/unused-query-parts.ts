import type { Plugin } from "vite";

/** Replaces the cache of mutations. Writes are forms here, so none ever waits for a connection. */
const NO_WRITES = "export class MutationCache { resumePausedMutations = async () => []; clear() {} }";
/** Replaces infinite lists: ours have pages. */
const NO_ENDLESS_LISTS = `
export const infiniteQueryBehavior = () => undefined;
export const hasNextPage = () => false;
export const hasPreviousPage = () => false;`;

const PARTS = /\/node_modules\/@tanstack\/query-core\/build\/modern\/(mutationCache|infiniteQueryBehavior)\.js/;

/** Removes parts of React Query that no page uses, but that it creates or calls all the same. */
export const unusedQueryPartsPlugin = (): Plugin => ({
  name: "nodebeat:unused-query-parts",
  apply: "build",
  applyToEnvironment: ({ name }) => name === "client",
  transform: {
    filter: { id: PARTS },
    handler: (_, id) => ({ code: id.includes("mutationCache") ? NO_WRITES : NO_ENDLESS_LISTS, map: null }),
  },
});
