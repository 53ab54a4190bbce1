import { expect } from "vitest";
import { wrongCode } from "../api/wrong-code.ts";
import type { Walk, Walker } from "./account-walk.ts";

const inventAddress = () => `${crypto.randomUUID()}@nodebeat.test`;

/** Signs up and verifies by code, uses the profile and two sessions, and signs out. */
export async function walkAsMember(walk: Walk, referralCode: string): Promise<void> {
  const visitor = walk.visit();
  const email = inventAddress();
  const first = walk.inventPassword("first");
  const wrong = walk.inventPassword("wrong");
  await signUp(visitor, { email, password: first, referralCode });
  const mail = await walk.readMail(email, 1);
  const code = walk.keep("verification code", mail.code);
  walk.keep("verification link", mail.token);
  await visitor.send("/auth/verify", { verificationCode: wrongCode(code) });
  expect((await visitor.send("/auth/verify", { verificationCode: code })).path).toBe("/dashboard");

  await visitor.open("/auth/logout");
  expect((await visitor.send("/auth/logout", {})).path).toBe("/auth");
  expect((await visitor.sendChecked("/auth", { email, password: wrong })).status).toBe(401);
  expect((await visitor.sendChecked("/auth", { email, password: first })).path).toBe("/dashboard");
  await visitor.open("/dashboard");
  await endOtherSession(walk, visitor, { email, password: first });
  await changePassword(walk, visitor, { wrong, currentPassword: first });
  await confirmCampaignAddress(walk, visitor);
  await visitor.send("/auth/logout", {});
}

async function signUp(visitor: Walker, fields: { email: string; password: string; referralCode?: string }) {
  const path = fields.referralCode ? `/auth/signup?referralCode=${fields.referralCode}` : "/auth/signup";
  // A refused form comes back with its values, except secrets.
  const refused = await visitor.sendChecked(path, { ...fields, email: "not an address" });
  expect([refused.status, refused.body]).toEqual([400, expect.stringContaining("not an address")]);
  expect((await visitor.sendChecked(path, fields)).path).toBe("/auth/verify");
}

async function endOtherSession(walk: Walk, visitor: Walker, credentials: { email: string; password: string }) {
  const elsewhere = walk.visit();
  expect((await elsewhere.sendChecked("/auth", credentials)).path).toBe("/dashboard");
  await visitor.open("/profile");
  const [, id = ""] = /name="id" value="([^"]+)"/.exec(await visitor.read("/profile")) ?? [];
  expect((await visitor.send("/profile", { intent: "session", id })).status).toBe(200);
  expect((await elsewhere.open("/profile")).path).toBe("/auth?redirectTo=%2Fprofile");
}

async function changePassword(walk: Walk, visitor: Walker, typed: { wrong: string; currentPassword: string }) {
  const { wrong, currentPassword } = typed;
  const password = walk.inventPassword("changed");
  const refused = await visitor.send("/profile", { intent: "password", currentPassword: wrong, password });
  expect(refused.status).toBeGreaterThanOrEqual(400);
  expect((await visitor.send("/profile", { intent: "password", currentPassword, password })).status).toBe(200);
}

async function confirmCampaignAddress(walk: Walk, visitor: Walker) {
  const email = inventAddress();
  await visitor.send("/profile", { intent: "campaign-address", email });
  const mail = await walk.readMail(email, 1);
  const code = walk.keep("campaign code", mail.code);
  const confirm = (verificationCode: string) => visitor.send("/profile", { intent: "campaign-code", verificationCode });
  expect((await confirm(wrongCode(code))).status).toBe(400);
  expect((await confirm(code)).status).toBe(200);
  await confirm(code);
  expect((await visitor.send("/rewards", { intent: "campaign-mail-off" })).path).toBe("/rewards");
  expect((await visitor.send("/rewards", { intent: "campaign-mail" })).path).toBe("/rewards");
}

/** Signs up and verifies by link, then resets a forgotten password. Tries each link again. */
export async function walkByLinks(walk: Walk): Promise<void> {
  const visitor = walk.visit();
  const email = inventAddress();
  await signUp(visitor, { email, password: walk.inventPassword("forgotten") });
  const { path, token, code } = await walk.readMail(email, 1);
  walk.keep("verification link", token);
  walk.keep("verification code", code);
  expect((await visitor.open(path)).path).toBe("/auth/verify");
  expect((await visitor.send("/auth/verify", { intent: "link" })).path).toBe("/dashboard");
  await visitor.send("/auth/logout", {});
  await visitor.open(path);
  await visitor.send("/auth/verify", { intent: "link" });
  await visitor.open(`/auth/verify?code=nbv_${"a".repeat(43)}`);
  await visitor.send("/auth/verify", { intent: "link" });

  await visitor.sendChecked("/auth/forgot-password", { email });
  const reset = await walk.readMail(email, 2);
  walk.keep("reset link", reset.token);
  await chooseNewPassword(walk, visitor, { email, path: reset.path });
  await openDamagedLinks(visitor, [token, reset.token]);
}

async function chooseNewPassword(walk: Walk, visitor: Walker, { email, path }: { email: string; path: string }) {
  const password = walk.inventPassword("new");
  expect((await visitor.open(path)).path).toBe("/auth/reset-password");
  expect((await visitor.send("/auth/reset-password", { intent: "open" })).path).toBe("/auth/reset-password");
  expect((await visitor.send("/auth/reset-password", { password: "password1" })).status).toBe(400);
  expect((await visitor.send("/auth/reset-password", { password })).path).toBe("/auth");
  await visitor.open(path);
  await visitor.send("/auth/reset-password", { intent: "open" });
  expect((await visitor.sendChecked("/auth", { email, password })).path).toBe("/dashboard");
  await visitor.open("/profile");
}

/** Opens links as damaged by email programs and people: they lead nowhere. */
async function openDamagedLinks(visitor: Walker, tokens: (string | undefined)[]) {
  for (const token of tokens) {
    for (const damaged of [`/nowhere/at/all?code=${token}`, `/auth/verify%3Fcode%3D${token}`, `/nowhere/${token}`]) {
      expect((await visitor.open(damaged)).status).toBe(404);
    }
  }
}
