import { expect, test } from "vitest";
import { OnboardResult } from "../onboarding/contract.ts";
import { UserStats } from "../points/contract.ts";
import { User } from "./contract.ts";

const NULLABLE = [
  "avatar_url",
  "campaign_email",
  "discord_userid",
  "discord_username",
  "full_name",
  "invited_by",
  "personal_code",
  "telegram_handle",
  "updated_at",
  "username",
  "wallet",
  "website",
  "x_handle",
];
const bare = { id: "u1", email: "ada@nodebeat.test", total_points_done: true };
const user = { ...bare, ...Object.fromEntries(NULLABLE.map((name) => [name, null])) };
const isUser = (value: object) => User.safeParse(value).success;

// specification: 3.1, 3.5
test("the nullable fields of a user may be null but not missing, and hasMachineId may be left out", () => {
  expect(isUser(user)).toBe(true);
  expect(isUser({ ...user, hasMachineId: true })).toBe(true);
  const areUsers = (value: unknown) => NULLABLE.map((name) => [name, isUser({ ...user, [name]: value })]);
  expect(areUsers("text")).toEqual(NULLABLE.map((name) => [name, true]));
  expect(areUsers(undefined)).toEqual(NULLABLE.map((name) => [name, false]));
  expect(areUsers(7)).toEqual(NULLABLE.map((name) => [name, false]));
});

// specification: 3.2, 3.3, 3.4, 3.5
test.each([
  { email: "ada" },
  { email: null },
  { id: 7 },
  { id: null },
  { total_points_done: "yes" },
  { total_points_done: null },
  { hasMachineId: null },
])("rejects a user with %j", (wrong) => {
  expect(isUser({ ...user, ...wrong })).toBe(false);
});

// specification: 3.10
test("each field of a points breakdown may be null", () => {
  const part = { category: null, color: null, percentage: null, value: null };
  const { points_breakdown } = UserStats.shape;
  expect(
    points_breakdown.parse([part, { ...part, category: "rewards", color: "red", percentage: 50, value: 5 }]),
  ).toHaveLength(2);
  expect(points_breakdown.safeParse([{ ...part, value: "5" }]).success).toBe(false);
});

// specification: 3.47
test("alreadyExists may be left out of an onboarding result", () => {
  expect(OnboardResult.parse({})).toEqual({});
  expect(OnboardResult.parse({ alreadyExists: true })).toEqual({ alreadyExists: true });
  expect(OnboardResult.safeParse({ alreadyExists: "yes" }).success).toBe(false);
});
