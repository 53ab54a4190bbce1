import { brand } from "../../brand.ts";

/** The length of a new password, in characters. */
export const PASSWORD_MIN_LENGTH = 8;
/** Long enough for any passphrase, and short enough that hashing costs no more than usual. */
export const PASSWORD_MAX_LENGTH = 256;

/** Words that anybody would try on this site, in lower case. docs/security.md lists them for operators. */
const OUR_WORDS = [
  brand.name.toLowerCase(),
  "heartbeat",
  "machine",
  "account",
  "wallet",
  "referral",
  "reward",
  "points",
  "testnet",
];

/** Shorter parts of an address occur in too many other words. */
const PART_MIN_LENGTH = 4;

/** Characters that people use in place of a letter. */
const LETTER_OF = new Map(Object.entries({ 0: "o", 1: "i", 3: "e", 4: "a", 5: "s", 7: "t", "@": "a", $: "s" }));

/**
 * Whether a password is among the first anybody would try for this member, apart from common passwords. That is: a
 * single character repeated, or the product's words and those of the member's address with little else. The server
 * refuses such a password, and the page says so before it is sent.
 */
export function isObvious(password: string, email: string): boolean {
  const guess = password.trim().toLowerCase();
  return new Set(guess).size <= 1 || isMadeOfWords(guess, email.toLowerCase());
}

function isMadeOfWords(guess: string, email: string): boolean {
  const spelled = spellOut(guess);
  const words = [...wordsOf(email).map(spellOut), ...OUR_WORDS];
  const rest = words.reduce((left, word) => left.replaceAll(word, ""), spelled);
  return rest !== spelled && rest.length < PASSWORD_MIN_LENGTH;
}

/**
 * Returns the address, its name, its domain without the ending, and the parts of both. Longer words come before their
 * parts.
 */
function wordsOf(email: string): string[] {
  const [name = "", domain = ""] = email.split("@");
  const host = domain.replace(/\.[^.]*$/, "");
  const parts = [name, host, ...name.split(/[^\p{L}\p{N}]+/u), ...host.split(".")];
  return [email, ...parts].filter(({ length }) => length >= PART_MIN_LENGTH);
}

const spellOut = (text: string) => Array.from(text, (sign) => LETTER_OF.get(sign) ?? sign).join("");
