import { expect, test } from "vitest";
import { seedMember } from "../../tests/support/api/api.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { readUser } from "../profile/contract.ts";
import { onboard, readOnboarded, readWhitelisted } from "./contract.ts";

const { api, clock } = await openTestApi();

// specification: 3.47, 3.56, 7.17, 7.18
test("onboards a member, once", async () => {
  const { token, user } = await seedMember(api.deps);
  const body = { userId: user.id };
  expect(await api.read(readOnboarded, { token })).toEqual({ success: false });

  clock.advance(1000);
  expect(await api.read(onboard, { token, body })).toEqual({ alreadyExists: false });
  const onboarded = await api.read(readUser, { token });
  expect(onboarded.updated_at).toBe(clock.now().toISOString());

  clock.advance(1000);
  expect(await api.read(onboard, { token, body })).toEqual({ alreadyExists: true });
  expect(await api.read(onboard, { token, body })).toEqual({ alreadyExists: true });
  expect(await api.read(readOnboarded, { token })).toEqual({ success: true });
  expect(await api.read(readUser, { token })).toEqual(onboarded);
});

test("only one of many concurrent calls onboards the member", async () => {
  const { token, user } = await seedMember(api.deps);
  const calls = Array.from({ length: 6 }, () => api.read(onboard, { token, body: { userId: user.id } }));
  const firsts = (await Promise.all(calls)).filter(({ alreadyExists }) => !alreadyExists);
  expect(firsts).toHaveLength(1);
});

test("refuses to onboard somebody else", async () => {
  const { token } = await seedMember(api.deps);
  const other = await seedMember(api.deps);

  const refused = await api.call(onboard, { token, body: { userId: other.user.id } });

  expect(refused).toMatchObject({ status: 403, body: { error: "FORBIDDEN" } });
  expect(await api.read(readOnboarded, { token: other.token })).toEqual({ success: false });
});

// specification: 5.21
test("refuses a call without a user id", async () => {
  const { token } = await seedMember(api.deps);
  const fields = { userId: [expect.any(String)] };
  expect(await api.call(onboard, { token, body: {} })).toMatchObject({ status: 400, body: { fields } });
});

// specification: 3.13, 7.11
test("says whether the caller is on the whitelist", async () => {
  const member = await seedMember(api.deps);
  const tester = await seedMember(api.deps, { isWhitelisted: true });
  expect(await api.read(readWhitelisted, { token: member.token })).toEqual({ isWhitelisted: false });
  expect(await api.read(readWhitelisted, { token: tester.token })).toEqual({ isWhitelisted: true });
});

test.for([readWhitelisted, readOnboarded, onboard])("refuses $method $path without a session", async (endpoint) => {
  const refused = await api.call(endpoint, { body: endpoint.method === "POST" ? { userId: "x" } : undefined });
  expect(refused).toMatchObject({ status: 401, body: { error: "UNAUTHENTICATED" } });
});
