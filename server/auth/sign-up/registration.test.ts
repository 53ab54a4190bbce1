import { eq } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createTestDeps, TEST_PASSWORD } from "../../../tests/support/api/api.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";
import { users } from "../../db/schema.ts";
import { registerMember } from "./registration.ts";

const database = await createTestDatabase();
const deps = createTestDeps(database);
const passwordHash = await deps.passwords.hash(TEST_PASSWORD);

beforeEach(() => database.reset());
afterAll(() => database.close());

const findRow = async (id: string) => (await database.db.select().from(users).where(eq(users.id, id)))[0];

// specification: 1.4, 9.3
test("registers a member with a personal code of five unambiguous characters", async () => {
  const { id, personalCode } = await registerMember(deps, { email: " Ada@Nodebeat.test ", password: TEST_PASSWORD });

  expect(personalCode).toMatch(/^[2-9A-HJKMNP-Z]{5}$/);
  const row = await findRow(id);
  expect(row).toMatchObject({
    email: "Ada@Nodebeat.test",
    emailKey: "ada@nodebeat.test",
    personalCode,
    invitedBy: null,
  });
  expect(await deps.passwords.verify(row?.passwordHash, TEST_PASSWORD)).toBe(true);
});

test("stores the given details", async () => {
  const createdAt = new Date("2026-01-02T03:04:05.678Z");
  const details = { username: "ada", isWhitelisted: true, onboardedAt: createdAt, createdAt, xHandle: "@ada" };
  const { id } = await registerMember(deps, { email: "ada@nodebeat.test", passwordHash, ...details });
  expect(await findRow(id)).toMatchObject({ ...details, passwordHash, updatedAt: createdAt });
});

test("stores the inviter, whatever the case of the referral code", async () => {
  const inviter = await registerMember(deps, { email: "ada@nodebeat.test", passwordHash });
  const referralCode = inviter.personalCode.toLowerCase();

  const friend = await registerMember(deps, { email: "bob@nodebeat.test", passwordHash, referralCode });

  expect(friend.invitedBy).toBe(inviter.id);
  expect(await findRow(friend.id)).toMatchObject({ invitedBy: inviter.id });
});

test("rejects an unknown referral code", async () => {
  const member = { email: "bob@nodebeat.test", passwordHash, referralCode: "AAAAA" };
  await expect(registerMember(deps, member)).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    fields: { referralCode: ["Invalid referral code"] },
  });
  expect(await database.db.$count(users)).toBe(0);
});

test("rejects a taken address, even if both registrations are concurrent", async () => {
  const member = { email: "ada@nodebeat.test", passwordHash };
  const shouted = { email: "ADA@nodebeat.test", passwordHash };

  const outcomes = await Promise.allSettled([registerMember(deps, member), registerMember(deps, shouted)]);

  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "CONFLICT" } });
  await expect(registerMember(deps, shouted)).rejects.toMatchObject({ code: "CONFLICT" });
});

test("retries with another personal code if one is taken", async () => {
  const codes = ["AAAAA", "AAAAA", "BBBBB"];
  const nextCode = () => codes.shift() ?? "";

  const ada = await registerMember(deps, { email: "ada@nodebeat.test", passwordHash }, nextCode);
  const bob = await registerMember(deps, { email: "bob@nodebeat.test", passwordHash }, nextCode);

  expect([ada.personalCode, bob.personalCode]).toEqual(["AAAAA", "BBBBB"]);
});

test("throws if no personal code is free", async () => {
  await registerMember(deps, { email: "ada@nodebeat.test", passwordHash }, () => "AAAAA");
  const attempt = registerMember(deps, { email: "bob@nodebeat.test", passwordHash }, () => "AAAAA");
  await expect(attempt).rejects.toThrow("No member was added");
});

test("leaves nothing behind if its transaction rolls back", async () => {
  const failure = new Error("something later failed");
  const attempt = database.db.transaction(async (tx) => {
    await registerMember({ ...deps, db: tx }, { email: "ada@nodebeat.test", passwordHash });
    throw failure;
  });
  await expect(attempt).rejects.toBe(failure);
  expect(await database.db.$count(users)).toBe(0);
});
