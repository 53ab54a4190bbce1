import { expect, test } from "vitest";
import type * as z from "zod";
import { LoginInput, SignUpInput } from "../../server/auth/contract.ts";
import { VerificationCode } from "../../server/mailed-code/contract.ts";
import { EMAIL, NEW_PASSWORD, PASSWORD, REFERRAL_CODE, SIX_DIGITS, VERIFICATION_CODE } from "./field-rules.ts";

const says = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues[0]?.message;
const { email, password } = LoginInput.shape;

test.each([
  ["no email", EMAIL, "valueMissing", email, undefined],
  ["something else for an email", EMAIL, "typeMismatch", email, "ada"],
  ["no password", PASSWORD, "valueMissing", password, undefined],
  ["a short password", NEW_PASSWORD, "tooShort", SignUpInput.shape.password, "1234567"],
  ["no code", VERIFICATION_CODE, "valueMissing", VerificationCode, undefined],
  ["a short code", VERIFICATION_CODE, "patternMismatch", VerificationCode, "12345"],
  ["a friend's code that is none", REFERRAL_CODE, "patternMismatch", SignUpInput.shape.referralCode, "?"],
] as const)("for %s the page shows the message of the contract", (_, rules, flaw, schema, value) => {
  expect(rules.find(([name]) => name === flaw)?.[1]).toBe(says(schema, value));
});

/** Whether a code is accepted by the page's field and by the contract. */
const readsCode = (code: string) => ({
  page: new RegExp(`^(?:${SIX_DIGITS})$`, "v").test(code),
  contract: VerificationCode.safeParse(code).success,
});

test.each(["123456", " 12-34 56 ", "1 2 3 4 5 6"])("the page accepts %j as six digits, like the contract", (code) => {
  expect(readsCode(code)).toEqual({ page: true, contract: true });
});

test.each(["12345", "1234567", "12345a", ""])("neither the page nor the contract accepts %j as six digits", (code) => {
  expect(readsCode(code)).toEqual({ page: false, contract: false });
});
