import { expect, test } from "vitest";
import { createCredential, createKeyedCredentials, kindOfCredential, type CredentialKind } from "./credential.ts";

const KINDS: Record<CredentialKind, true> = {
  session: true,
  device: true,
  signUp: true,
  reset: true,
  verifyLink: true,
  resetLink: true,
  silenceLink: true,
  campaignLink: true,
  recovery: true,
  campaignEmail: true,
};

test.each(Object.keys(KINDS))("a credential says that it is a %s", (kind) => {
  const { token } = createCredential(kind as CredentialKind);
  expect(kindOfCredential(token)).toBe(kind);
});

test("a link of one kind is none of another, for the same member", () => {
  const links = createKeyedCredentials(["a secret of the tests"]);
  const tokens = (["verifyLink", "resetLink", "silenceLink", "campaignLink"] as const).map(
    (kind) => links.createLink(kind, "u1").token,
  );
  expect(new Set(tokens).size).toBe(tokens.length);
});
