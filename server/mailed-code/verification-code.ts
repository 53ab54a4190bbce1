import { randomInt } from "node:crypto";
import { VERIFICATION_CODE_LENGTH } from "./contract.ts";

/** Six random digits, for a mail. */
export const inventCode = (): string =>
  String(randomInt(10 ** VERIFICATION_CODE_LENGTH)).padStart(VERIFICATION_CODE_LENGTH, "0");
