import { dictionary } from "@zxcvbn-ts/language-common";

/**
 * The passwords that leaks have shown to be common, as the server knows them; in the browser only those it may need.
 */
export const LEAKED_PASSWORDS: ReadonlySet<string> = new Set(dictionary["passwords-common"]);
