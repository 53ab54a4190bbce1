import type { Plugin } from "vite";

/** Writes, which are forms here: it is asked for those that wait for a connection, and there are none. */
const NO_WRITES = "export class MutationCache { resumePausedMutations = async () => []; clear() {} }";
/** Lists that grow at their end: ours have pages. */
const NO_ENDLESS_LISTS = `
export const infiniteQueryBehavior = () => undefined;
export const hasNextPage = () => false;
export const hasPreviousPage = () => false;`;

const PARTS = /\/node_modules\/@tanstack\/query-core\/build\/modern\/(mutationCache|infiniteQueryBehavior)\.js/;

/** Lets the browser do without those parts of React Query that no page uses, and that it makes or asks all the same. */
export const unusedQueryPartsPlugin = (): Plugin => ({
  name: "nodebeat:unused-query-parts",
  apply: "build",
  applyToEnvironment: ({ name }) => name === "client",
  transform: {
    filter: { id: PARTS },
    handler: (_, id) => ({ code: id.includes("mutationCache") ? NO_WRITES : NO_ENDLESS_LISTS, map: null }),
  },
});
