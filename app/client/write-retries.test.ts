import { expect, test } from "vitest";
import { WRITE_RETRIES } from "./write-retries.ts";

// specification: 9.22, 9.32
test("retries each write as often as the specification says", () => {
  expect(WRITE_RETRIES).toEqual({
    default: 1,
    login: 0,
    onboard: 0,
    acceptTerms: 1,
    claim: 1,
    requestMachineId: 1,
    updateMachineIdSignature: 0,
  });
});
