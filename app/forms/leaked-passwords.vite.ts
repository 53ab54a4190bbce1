import { dictionary } from "@zxcvbn-ts/language-common";
import type { Plugin } from "vite";
import { PASSWORD_MIN_LENGTH } from "../../server/password-rules/contract.ts";

/**
 * Reduces the dictionaries for the browser: to the passwords that are not already refused for their length, sorted.
 * They compress to a quarter of the whole.
 */
export function leakedPasswordsPlugin(): Plugin {
  const words = dictionary["passwords-common"].filter(({ length }) => length >= PASSWORD_MIN_LENGTH).toSorted();
  return {
    name: "leaked-passwords",
    // Pre-bundled dependencies do not pass through transform.
    config: () => ({ optimizeDeps: { exclude: ["@zxcvbn-ts/language-common"] } }),
    applyToEnvironment: ({ name }) => name === "client",
    transform: {
      filter: { id: /\/@zxcvbn-ts\/language-common\/dist\/index\.mjs/ },
      handler: () => ({
        code: `export const dictionary = { "passwords-common": ${JSON.stringify(words.join(" "))}.split(" ") };`,
        map: null,
      }),
    },
  };
}
