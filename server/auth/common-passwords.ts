import { readFileSync } from "node:fs";
import { AppError } from "../errors.ts";

const file = readFileSync(new URL("./common-passwords.txt", import.meta.url), "utf8");
const COMMON = new Set(file.split("\n").filter((line) => line && !line.startsWith("#")));

/** Throws VALIDATION_ERROR for a password that is among the first that anybody would try for this member. */
export function refuseCommonPassword(password: string, email: string): void {
  const guess = password.trim().toLowerCase();
  const [name = ""] = email.toLowerCase().split("@");
  if (!COMMON.has(guess) && guess !== email.toLowerCase() && guess !== name && !isOneCharacter(guess)) return;
  const message = "That password is one of the first that others would try. Choose another.";
  throw new AppError("VALIDATION_ERROR", message, { fields: { password: [message] } });
}

const isOneCharacter = (password: string) => new Set(password).size === 1;
