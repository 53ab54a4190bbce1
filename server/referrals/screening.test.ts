import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { hourlyBeats } from "../../tests/support/seeds/beats.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { issueBotCheck, signUp, verify } from "../auth/contract.ts";
import { users } from "../db/schema.ts";
import { requestEmailChange, verifyEmailChange } from "../email-change/contract.ts";
import { inTransaction } from "../db/transaction.ts";
import { countBeats } from "../heartbeats/service.ts";
import { readStats } from "../points/contract.ts";
import { checkLedger } from "../points/ledger/rebuild.ts";
import { claimReferral, readReferrals } from "./contract.ts";
import { findHeld } from "./review.queries.ts";

const { api, clock, database, mailbox } = await openTestApi();
const { db } = api.deps;

type Joining = { code?: string | null; browser?: string; clientAddress?: string };

/** Joins through the API, with a new browser unless one is named. */
async function join(email: string, joining: Joining = {}) {
  const confirm = await begin(email, joining);
  return confirm();
}

/** Signs up, and returns a function that enters the code from the email. */
async function begin(email: string, { code, browser, clientAddress }: Joining = {}) {
  const { turnstileToken } = await api.read(issueBotCheck);
  clock.advance(1000);
  const body = { email, password: TEST_PASSWORD, turnstileToken, ...(code && { referralCode: code }) };
  const { signupToken: token } = await api.read(signUp, { body, clientAddress });
  const { code: verificationCode = "" } = await mailbox.read(email);
  const headers = { "X-Device-Token": (browser ?? crypto.randomUUID()).padEnd(43, "_") };
  return async () => {
    const body = { token, verificationCode };
    const { accessToken, user } = await api.read(verify, { body, headers, clientAddress });
    return { token: accessToken, user };
  };
}

type Member = Awaited<ReturnType<typeof join>>;

const pointsOf = async ({ token }: Member) => (await api.read(readStats, { token })).points_total;
const friendsOf = async ({ token }: Member) => (await api.read(readReferrals, { token })).referrals;
const reasons = async () => (await findHeld(db)).map(({ invitee, reason }) => [invitee, reason]);

describe("an invitation is held, unpaid,", () => {
  test.each([
    ["a plus-address of the inviter's", "ada@example.com", "ada+friend@example.com"],
    ["the inviter's address with dots", "adalove@gmail.com", "ada.love@gmail.com"],
    ["the other name of the inviter's provider", "adalove@gmail.com", "ada.love+x@googlemail.com"],
  ])("for %s", async (_, inviterEmail, email) => {
    const ada = await join(inviterEmail);
    const other = await join(email, { code: ada.user.personal_code });
    expect(await reasons()).toEqual([[email, "same-mailbox"]]);
    expect(await pointsOf(other)).toBe(0);
    expect(await friendsOf(ada)).toMatchObject([
      { inviteeEmail: email, status: "Pending", canClaim: false, pendingReasons: ["review", "heartbeats", "wallet"] },
    ]);
  });

  test("for another member's second account", async () => {
    const ada = await join("ada@example.com");
    await join("bob@example.com");
    const second = await join("bob+2@example.com", { code: ada.user.personal_code });
    expect(await reasons()).toEqual([["bob+2@example.com", "same-mailbox"]]);
    expect(await pointsOf(second)).toBe(0);
  });

  test.each([["a1@mailinator.com"], ["a1@any.mailinator.com"]])("for the throw-away address %s", async (email) => {
    const ada = await join("ada@example.com");
    const friend = await join(email, { code: ada.user.personal_code });
    expect(await reasons()).toEqual([[email, "disposable-address"]]);
    expect(await pointsOf(friend)).toBe(0);
  });

  test("for a browser that the inviter signs in with", async () => {
    const ada = await join("ada@example.com", { browser: "adas_browser" });
    const bob = await join("bob@example.com", { code: ada.user.personal_code, browser: "adas_browser" });
    expect(await reasons()).toEqual([["bob@example.com", "same-device"]]);
    expect(await pointsOf(bob)).toBe(0);
  });

  test("for a cycle: the mailbox or browser of somebody further up the chain", async () => {
    const ada = await join("ada@example.com", { browser: "adas_browser" });
    const bob = await join("bob@example.com", { code: ada.user.personal_code });
    const cleo = await join("cleo@example.com", { code: bob.user.personal_code });
    const again = await join("ada+again@example.com", { code: cleo.user.personal_code });
    const dan = await join("dan@example.com", { code: cleo.user.personal_code, browser: "adas_browser" });
    expect(await reasons()).toEqual([
      ["ada+again@example.com", "cycle"],
      ["dan@example.com", "cycle"],
    ]);
    expect([await pointsOf(again), await pointsOf(dan)]).toEqual([0, 0]);
    expect([await pointsOf(bob), await pointsOf(cleo)]).toEqual([1000, 1000]);
  });

  test("for a cycle over 20 generations, but not over more", async () => {
    let [invitedBy, code]: (string | null)[] = [null, null];
    for (const name of ["oldest", "older", ...Array.from({ length: 19 }, (_, index) => `member${index}`)]) {
      const { user } = await seedMember(api.deps, { email: `${name}@example.com` });
      await db.update(users).set({ invitedBy }).where(eq(users.id, user.id));
      [invitedBy, code] = [user.id, user.personal_code];
    }
    await join("older+2@example.com", { code });
    // Found as another member's second account, as anybody's is.
    await join("oldest+2@example.com", { code });
    expect(await reasons()).toEqual([
      ["older+2@example.com", "cycle"],
      ["oldest+2@example.com", "same-mailbox"],
    ]);
  });

  test("for all but one of several accounts of a mailbox that are confirmed concurrently", async () => {
    const ada = await join("ada@example.com");
    const emails = ["bob@example.com", "bob+2@example.com", "b.ob@example.com", "bob+4@example.com"];
    const confirm = [];
    for (const email of emails) confirm.push(await begin(email, { code: ada.user.personal_code }));
    const friends = await Promise.all(confirm.map((each) => each()));

    expect((await reasons()).map(([, reason]) => reason)).toEqual(["same-mailbox", "same-mailbox", "same-mailbox"]);
    const points = await Promise.all(friends.map(pointsOf));
    expect(points.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 1000]);
    expect(await checkLedger(db)).toEqual([]);
  });
});

test("holds an invitation to a member's former address, of which only a hash is left", async () => {
  const ada = await join("ada@example.com");
  const code = ada.user.personal_code;
  const bob = await join("bob@former.example", { code });
  await api.read(requestEmailChange, {
    token: bob.token,
    body: { email: "bob@next.example", password: TEST_PASSWORD },
  });
  const { code: verificationCode = "" } = await mailbox.read("bob@next.example");
  await api.read(verifyEmailChange, { token: bob.token, body: { verificationCode } });
  const { rows } = await database.pool.query("select mailbox_key as key from invited_mailboxes");
  expect(rows.filter(({ key }) => key.includes("former"))).toEqual([]);

  const again = await join("bob+again@former.example", { code });
  expect(await reasons()).toEqual([["bob+again@former.example", "returned"]]);
  expect(await pointsOf(again)).toBe(0);
  expect(await pointsOf(bob)).toBe(1000);
});

test("pays an ordinary invitation immediately, even if friends share a browser and a mail provider", async () => {
  const ada = await join("ada@gmail.com");
  const [code, browser] = [ada.user.personal_code, "bobs_browser"];
  const bob = await join("bob@gmail.com", { code, browser });
  // Two friends may share a browser.
  const cleo = await join("cleo@gmail.com", { code, browser });
  expect(await findHeld(db)).toEqual([]);
  expect([await pointsOf(bob), await pointsOf(cleo)]).toEqual([1000, 1000]);
});

test("pays for two friends who join from the inviter's network", async () => {
  const clientAddress = "203.0.113.7";
  const ada = await join("ada@gmail.com", { clientAddress });
  const code = ada.user.personal_code;
  const bob = await join("bob@gmail.com", { code, clientAddress });
  const cleo = await join("cleo@gmail.com", { code, clientAddress });
  expect(await findHeld(db)).toEqual([]);
  expect([await pointsOf(bob), await pointsOf(cleo)]).toEqual([1000, 1000]);
});

test("a held invitation pays its inviter nothing, however active the friend is", async () => {
  const ada = await join("ada@example.com");
  const other = await join("ada+2@example.com", { code: ada.user.personal_code });
  const beats = hourlyBeats(other.user.id, 100, clock.now());
  await inTransaction(db, (tx) => countBeats(tx, beats, api.deps.env));
  await db.update(users).set({ wallet: "0xabc" }).where(eq(users.id, other.user.id));

  const [held] = await friendsOf(ada);
  expect(held).toMatchObject({ inviteeHeartbeats: 100, walletConnected: true, canClaim: false });
  expect(held).toMatchObject({ status: "Pending", pendingReasons: ["review"] });
  expect(await api.call(claimReferral, { token: ada.token, params: { id: held?.id ?? "" } })).toMatchObject({
    status: 409,
    body: { message: "This invitation is being reviewed." },
  });
  expect(await pointsOf(ada)).toBe(0);
  expect(await checkLedger(db)).toEqual([]);
});
