import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createCredential, createKeyedCredentials, kindOfCredential, type CredentialKind } from "./credential.ts";
import { createSeal } from "./seal.ts";

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

test.each(Object.keys(KINDS))("the prefix of a credential identifies its kind: %s", (kind) => {
  const { token, hash } = createCredential(kind as CredentialKind);
  expect(kindOfCredential(token)).toBe(kind);
  // 256 bits after the prefix, different each time.
  expect(token).toMatch(/^nb[a-z]_[\w-]{43}$/);
  expect(createCredential(kind as CredentialKind).token).not.toBe(token);
  expect(hash).toEqual(createHash("sha256").update(token).digest());
});

test("links of different kinds for the same member have different tokens", () => {
  const links = createKeyedCredentials(["a secret of the tests"]);
  const tokens = (["verifyLink", "resetLink", "silenceLink", "campaignLink"] as const).map(
    (kind) => links.createLink(kind, "u1").token,
  );
  expect(new Set(tokens).size).toBe(tokens.length);
});

test("a value sealed for one purpose or row cannot be opened for another", () => {
  const secrets = ["a secret of the tests"] as const;
  const [seal, other] = [createSeal(secrets, "mail"), createSeal(secrets, "webhooks")] as const;
  const sealed = seal.seal("1", '"hello"');
  expect([seal.whose("1", sealed), seal.whose("2", sealed), other.whose("1", sealed)]).toEqual([
    0,
    undefined,
    undefined,
  ]);
});
