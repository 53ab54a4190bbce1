import { dictionary } from "@zxcvbn-ts/language-common";
import { brand } from "../../../brand.ts";
import { AppError } from "../../errors.ts";
import { PASSWORD_MIN_LENGTH } from "../contract.ts";

/** Fifty thousand passwords that leaks have shown to be common, in lower case; shorter ones are refused anyway. */
const COMMON = new Set(dictionary["passwords-common"].filter((word) => word.length >= PASSWORD_MIN_LENGTH));

/** What anybody would try at this door, in lower case. docs/security.md lists them for operators. */
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

/** Shorter parts of an address stand in too many other words. */
const PART_MIN_LENGTH = 4;

/** Signs that people put in place of a letter. */
const LETTER_OF = new Map(Object.entries({ 0: "o", 1: "i", 3: "e", 4: "a", 5: "s", 7: "t", "@": "a", $: "s" }));

/** Throws VALIDATION_ERROR for a password that is among the first that anybody would try for this member. */
export function refuseCommonPassword(password: string, email: string, field = "password"): void {
  const guess = password.trim().toLowerCase();
  if (!COMMON.has(guess) && !isOneCharacter(guess) && !isMadeOfWords(guess, email.toLowerCase())) return;
  const message = "That password is one of the first that others would try. Choose another.";
  throw new AppError("VALIDATION_ERROR", message, { fields: { [field]: [message] } });
}

const isOneCharacter = (password: string) => new Set(password).size === 1;

/** Whether too little for a password is left without the product's words and those of the member's address. */
function isMadeOfWords(guess: string, email: string): boolean {
  const spelled = spellOut(guess);
  const words = [...wordsOf(email).map(spellOut), ...OUR_WORDS];
  const rest = words.reduce((left, word) => left.replaceAll(word, ""), spelled);
  return rest !== spelled && rest.length < PASSWORD_MIN_LENGTH;
}

/** The address, its name and its domain without the ending, and the parts of both; whole ones first. */
function wordsOf(email: string): string[] {
  const [name = "", domain = ""] = email.split("@");
  const host = domain.replace(/\.[^.]*$/, "");
  const parts = [name, host, ...name.split(/[^\p{L}\p{N}]+/u), ...host.split(".")];
  return [email, ...parts.filter(({ length }) => length >= PART_MIN_LENGTH)];
}

const spellOut = (text: string) => Array.from(text, (sign) => LETTER_OF.get(sign) ?? sign).join("");
