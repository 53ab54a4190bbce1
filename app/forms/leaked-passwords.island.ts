import { dictionary } from "@zxcvbn-ts/language-common";

/**
 * The passwords that are common according to leaks, as the server knows them. The browser has only those it may need.
 */
export const LEAKED_PASSWORDS: ReadonlySet<string> = new Set(dictionary["passwords-common"]);
