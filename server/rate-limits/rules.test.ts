import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { exportData } from "../account-data/contract.ts";
import * as auth from "../auth/contract.ts";
import { createPasswordHasher } from "../auth/password/password-hasher.ts";
import { verifyCampaignEmail } from "../campaign-mail/contract.ts";
import { verifyEmailChange } from "../email-change/contract.ts";
import { sendJobResults } from "../agent-insights/contract.ts";
import { registerDevice, sendHeartbeats } from "../heartbeats/contract.ts";
import type { Endpoint } from "../http/contract.ts";
import { requestMachineId } from "../machine-id/contract.ts";
import { exportPointsLog } from "../points/contract.ts";
import { readNodePassToken } from "../node-pass/contract.ts";
import { detectWallet } from "../wallet/contract.ts";
import { LIMITS } from "./rules.ts";

const passwords = createPasswordHasher({ memoryKib: 64 });
const { api, clock } = await openTestApi({ passwords });

/** One client, with a different address of its network each time. */
const client = (index: number) => ({ clientAddress: `2001:db8:1:2::${index}` });
const device = () => ({ headers: { "X-Device-Token": "h".repeat(43) } });
const mine = "ada@nodebeat.test";
/** One email address in different spellings. */
const spelled = (index: number) => (index % 2 === 0 ? mine : mine.toUpperCase());
const password = TEST_PASSWORD;
const other = (index: number) => `member-${index}@nodebeat.test`;
const WRONG = "not the password";
const ADDRESS = "0x52908400098527886E0F7030069857D2E4169EE7";
/** Always the same id: a member can have keys for fewer machines than the limit allows creating. */
const MACHINE = "5d8f4f3e-5a1c-4b0f-9d59-6f1f0f6f2a10";
const code = { token: "x", verificationCode: "123456" };

/** How to take from each limit. Clients and addresses differ as much as the limit permits. */
type Way = {
  endpoint: Endpoint;
  body?: (index: number) => object;
  from?: (index: number) => object;
  params?: object;
  query?: object;
};

/**
 * Excludes the limits on mail to unconfirmed mailboxes, which only show in the mail that is sent
 * (../auth/mail-allowance.test.ts), and the limit on pictures, which are not calls.
 */
type CallLimit = Exclude<keyof typeof LIMITS, `requestedMail${string}` | "pictureByClient">;

const WAYS: Record<CallLimit, Way> = {
  signInByClient: { endpoint: auth.login, body: (index) => ({ email: other(index), password: WRONG }), from: client },
  signInByAccount: { endpoint: auth.login, body: (index) => ({ email: spelled(index), password: WRONG }) },
  signInByDevice: { endpoint: auth.login, body: (index) => ({ email: spelled(index), password: WRONG }), from: device },
  signUpByClient: { endpoint: auth.signUp, body: (index) => ({ email: other(index), password }), from: client },
  signUpByClientAndAddress: {
    endpoint: auth.signUp,
    body: (index) => ({ email: spelled(index), password }),
    from: client,
  },
  signUpByAddress: { endpoint: auth.signUp, body: (index) => ({ email: spelled(index), password }) },
  checkUserByClient: { endpoint: auth.checkUser, body: (index) => ({ email: other(index) }), from: client },
  forgotByClient: { endpoint: auth.forgotPassword, body: (index) => ({ email: other(index) }), from: client },
  mailedTokensByClient: { endpoint: auth.verify, body: () => code, from: client },
  campaignCodeByAccount: { endpoint: verifyCampaignEmail, body: () => code },
  emailCodeByAccount: { endpoint: verifyEmailChange, body: () => code },
  changePasswordByAccount: {
    endpoint: auth.changePassword,
    body: () => ({ currentPassword: WRONG, password: "a new pass phrase" }),
  },
  dataExportByAccount: { endpoint: exportData },
  nodePassByAccount: { endpoint: readNodePassToken, params: { tokenId: "1" } },
  jobResultsByAccount: { endpoint: sendJobResults, body: () => ({ jobs: [] }) },
  beatBatchByAccount: { endpoint: sendHeartbeats, body: () => ({ beats: [], padding: "x".repeat(2000) }) },
  deviceKeyByAccount: { endpoint: registerDevice, body: () => ({ name: "attic", id: MACHINE }) },
  logExportByAccount: { endpoint: exportPointsLog },
  machineIdByAccount: { endpoint: requestMachineId },
  walletByAccount: { endpoint: detectWallet, query: { address: ADDRESS } },
};

/**
 * Issues a token for each form, and advances the clock by the time that a person takes, so that it can stand still
 * afterwards.
 */
async function issueTokens(count: number) {
  const tokens = [];
  for (let index = 0; index < count; index++) tokens.push((await api.read(auth.issueBotCheck)).turnstileToken);
  clock.advance(300);
  return tokens;
}

const walks = Object.entries(WAYS) as [CallLimit, Way][];

test.for(walks)("%s: allows the burst, answers 429 to one more, and later allows one again", async ([name, way]) => {
  const { burst, seconds } = LIMITS[name];
  const { token } = await seedMember(api.deps, { email: mine, password });
  const [signIn, ...tokens] = await issueTokens(burst + 4);
  const body = { email: mine, password, turnstileToken: signIn };
  await api.read(auth.login, { body, ...device(), clientAddress: "203.0.113.31" });

  const send = async (index: number) => {
    const given = way.body?.(index);
    const answer = await api.call(way.endpoint, {
      ...(way.endpoint.access !== "anyone" && { token }),
      ...(given && { body: { ...given, ...(name !== "mailedTokensByClient" && { turnstileToken: tokens[index] }) } }),
      ...(way.params && { params: { tokenId: "1" } }),
      ...(way.query && { query: { address: ADDRESS } }),
      ...way.from?.(index),
    });
    return answer;
  };
  const statuses = new Set<number>();
  for (let index = 0; index < burst; index++) statuses.add((await send(index)).status);
  expect(statuses.size).toBe(1);
  expect(statuses).not.toContain(429);

  const refused = await send(burst);
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, String(seconds)]);
  clock.advance(seconds * 1000);
  expect(statuses).toContain((await send(burst + 1)).status);
  expect((await send(burst + 2)).status).toBe(429);
});

async function signUp(from: object) {
  const [turnstileToken] = await issueTokens(1);
  return (await api.call(auth.signUp, { body: { email: mine, password, turnstileToken }, ...from })).status;
}

test("one client cannot keep an address from signing up, however long it tries", async () => {
  const statuses = [];
  for (let minute = 0; minute < 60; minute++) {
    clock.advance(60_000);
    statuses.push(await signUp(client(minute)));
  }
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect(await signUp({ clientAddress: "203.0.113.32" })).toBe(200);
});

const everyOf = (seconds: number) => (seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`);

test("the table in docs/operations.md has a row for each limit, with its figures", () => {
  const table = readFileSync("docs/operations.md", "utf8").split("## Limits")[1] ?? "";
  const told = Array.from(table.matchAll(/\| (\d+, then one in \d+ (?:s|min)) +\|/g), ([, figures = ""]) => figures);
  const limits = Object.values(LIMITS).map(({ burst, seconds }) => `${burst}, then one in ${everyOf(seconds)}`);
  expect(told.toSorted()).toEqual(limits.toSorted());
});
