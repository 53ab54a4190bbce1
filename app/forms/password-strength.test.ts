import { expect, test } from "vitest";
import { SignUpInput } from "../../server/auth/contract.ts";
import { refuseGuessable } from "../../server/password-rules/refuse-guessable.ts";
import { LEAKED_PASSWORDS } from "./leaked-passwords.island.ts";
import { judgePassword } from "./password-strength.ts";

const EMAIL = "Ada.Lovelace@Nodebeat.test";

/** Returns whether the server accepts a password for an account with this address. */
function isTaken(password: string): boolean {
  if (!SignUpInput.shape.password.safeParse(password).success) return false;
  try {
    refuseGuessable(password, EMAIL);
    return true;
  } catch {
    return false;
  }
}

const REFUSED = [
  "",
  "short",
  "1234567",
  "🫀🫀🫀🫀🫀🫀🫀",
  "password1",
  "PassWord1",
  "  password1  ",
  "qwertyuiop",
  "123456789987654321",
  "zzzzzzzzzzzzzzzzzzzz",
  "        ",
  "🫀🫀🫀🫀🫀🫀🫀🫀",
  EMAIL,
  EMAIL.toLowerCase(),
  "ada.lovelace",
  " ADA.LOVELACE ",
  "lovelace-ada",
  "n0debeat!",
  "wallet points",
  "x1".repeat(129),
  "🫀x".repeat(129),
];
const TAKEN = [
  "long enough",
  "wallets for the whole family",
  "🫀🫀🫀🫀🫀🫀🫀x",
  "correct horse battery",
  "password1 is not mine",
  "x1".repeat(128),
  "🫀x".repeat(128),
];

test.each([...REFUSED, ...TAKEN])("the strength meter agrees with the server about %j", (password) => {
  const strength = judgePassword(password, EMAIL, LEAKED_PASSWORDS);
  expect(["fair", "strong"].includes(strength)).toBe(isTaken(password));
  expect(isTaken(password)).toBe(TAKEN.includes(password));
});

test("the strength meter agrees with the server about every leaked password", () => {
  const praised = [...LEAKED_PASSWORDS].filter(
    (password) => ["fair", "strong"].includes(judgePassword(password, EMAIL, LEAKED_PASSWORDS)) !== isTaken(password),
  );
  expect(LEAKED_PASSWORDS.size).toBeGreaterThan(40_000);
  expect(praised).toEqual([]);
});

test("rates acceptable passwords as unknown until the leaked passwords are loaded", () => {
  expect(TAKEN.map((password) => judgePassword(password, EMAIL, null))).toEqual(TAKEN.map(() => "unknown"));
});
