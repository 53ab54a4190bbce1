import { afterAll, expect, test } from "vitest";
import { BY_OPERATOR } from "../../tests/support/administration.ts";
import { createTestApi, seedMember, TEST_PASSWORD } from "../../tests/support/api.ts";
import { createTestDatabase } from "../../tests/support/test-database.ts";
import { login } from "../auth/contract.ts";
import { readUser } from "../profile/contract.ts";
import { blockMember } from "./blocking.ts";

const database = await createTestDatabase();
const botCheck = { issue: () => ({ turnstileToken: "t" }), verify: async () => {} };
const api = createTestApi(database, { botCheck });
afterAll(() => database.close());

test("of a sign-in and a block at the same moment no session is left", async () => {
  const { user } = await seedMember(api.deps, { email: "ada@example.com" });
  const body = { email: "ada@example.com", password: TEST_PASSWORD, turnstileToken: "t" };
  const tries = Array.from({ length: 6 }, () => api.call(login, { body }));
  const [, ...answers] = await Promise.all([blockMember(api.deps, BY_OPERATOR, { member: user.id }), ...tries]);
  const tokens = answers.flatMap(({ body, status }) => (status === 200 ? login.response.parse(body).access_token : []));
  const statuses = await Promise.all(tokens.map(async (token) => (await api.call(readUser, { token })).status));
  expect(new Set([401, ...statuses])).toEqual(new Set([401]));
});
