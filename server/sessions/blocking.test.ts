import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { BY_OPERATOR, seedAdministrator } from "../../tests/support/api/administration.ts";
import { createTestApi, seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import type { Act } from "../administration/actor.ts";
import { login } from "../auth/contract.ts";
import { sessions } from "../db/schema.ts";
import { readUser } from "../profile/contract.ts";
import { hashCredential } from "../secrets/credential.ts";
import { blockMember } from "./blocking.ts";

const database = await createTestDatabase();
const botCheck = { issue: () => ({ turnstileToken: "t" }), verify: async () => {} };
const api = createTestApi(database, { botCheck });
afterAll(() => database.close());

test("a sign-in concurrent with a block leaves no session", async () => {
  const { user } = await seedMember(api.deps, { email: "ada@example.com" });
  const body = { email: "ada@example.com", password: TEST_PASSWORD, turnstileToken: "t" };
  const tries = Array.from({ length: 6 }, () => api.call(login, { body }));
  const [, ...answers] = await Promise.all([blockMember(api.deps, BY_OPERATOR, { member: user.id }), ...tries]);
  const tokens = answers.flatMap(({ body, status }) => (status === 200 ? login.response.parse(body).access_token : []));
  const statuses = await Promise.all(tokens.map(async (token) => (await api.call(readUser, { token })).status));
  expect(new Set([401, ...statuses])).toEqual(new Set([401]));
});

async function actOf({ user, token }: Awaited<ReturnType<typeof seedAdministrator>>): Promise<Act> {
  const found = await database.db
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.tokenHash, hashCredential(token)));
  return { actor: { kind: "administrator", userId: user.id, sessionId: found[0]?.id }, reason: "Asked for by mail" };
}

test("if two administrators block each other concurrently, one succeeds and the other is signed out", async () => {
  const [ada, ben] = [await seedAdministrator(api.deps), await seedAdministrator(api.deps)];
  const [byAda, byBen] = [await actOf(ada), await actOf(ben)];
  const outcomes = await Promise.allSettled([
    blockMember(api.deps, byAda, { member: ben.user.id }),
    blockMember(api.deps, byBen, { member: ada.user.id }),
  ]);
  const refused = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  expect(refused).toEqual([expect.objectContaining({ code: "UNAUTHENTICATED" })]);
});
