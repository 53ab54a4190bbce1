import { eq } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createTestApi, seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { createMailbox } from "../../tests/support/api/mailbox.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { OPERATOR } from "../administration/actor.ts";
import { sendCampaignEmail } from "../campaign-mail/contract.ts";
import { backgroundJobs, users } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { requestEmailChange, verifyEmailChange } from "../email-change/contract.ts";
import { changeAddress } from "../member-administration/address.ts";
import { findOwner } from "./holdings.queries.ts";
import { findWaitingMail } from "./waiting-mail.ts";

const database = await createTestDatabase();
const { db } = database;
const api = createTestApi(database);
const { deps } = api;
beforeEach(() => database.reset());
afterAll(() => database.close());

const post = (to: string, subject: string) =>
  inTransaction(db, (tx) => deps.outbox.post(tx, { to, subject, paragraphs: [], note: "" }));

/** Returns the subjects of a member's emails, and how many emails were opened to find them. */
async function findLetters(userId: string) {
  let opened = 0;
  const outbox: typeof deps.outbox = {
    ...deps.outbox,
    open(id, sealed) {
      opened += 1;
      return deps.outbox.open(id, sealed);
    },
  };
  const owner = await findOwner(db, userId);
  if (!owner) throw new Error("There is no such member");
  const subjects = [];
  for await (const { subject } of findWaitingMail({ outbox }, db, owner)) subjects.push(subject);
  return { subjects: subjects.toSorted(), opened };
}

test("finds a member's emails without opening anybody else's", async () => {
  const { user } = await seedMember(deps, { email: "ada@example.com" });
  await db.update(users).set({ campaignEmail: "News@Ada.example" }).where(eq(users.id, user.id));
  await post("Ada@example.com", "Mine");
  await post("news@ada.example", "News");
  for (let each = 0; each < 120; each += 1) await post(`somebody-${each}@example.com`, "Theirs");
  expect(await findLetters(user.id)).toEqual({ subjects: ["Mine", "News"], opened: 2 });
});

test("emails to an address that a member has not verified are not theirs", async () => {
  const mallory = await seedMember(api.deps);
  await post("victim@example.com", "Choose a new password");
  await api.read(requestEmailChange, {
    token: mallory.token,
    body: { email: "victim@example.com", password: TEST_PASSWORD },
  });
  await api.read(sendCampaignEmail, { token: mallory.token, body: { email: "victim@example.com" } });
  expect(await findLetters(mallory.user.id)).toEqual({ subjects: [], opened: 0 });
});

test("emails to a campaign address that another member signs in with belong to the other member", async () => {
  const ada = await seedMember(deps, { email: "ada@example.com" });
  const bob = await seedMember(deps, { email: "bob@example.com" });
  await db.update(users).set({ campaignEmail: "Bob@example.com" }).where(eq(users.id, ada.user.id));
  await post("bob@example.com", "Choose a new password");
  expect(await findLetters(ada.user.id)).toEqual({ subjects: [], opened: 0 });
  expect((await findLetters(bob.user.id)).subjects).toEqual(["Choose a new password"]);
});

test("emails queued to a member's former address stay theirs, even if another member has it now", async () => {
  const { user } = await seedMember(deps, { email: "ada@example.com" });
  await post("ada@example.com", "Before");
  for (const email of ["ada@elsewhere.example", "ada@third.example"]) {
    await changeAddress(deps, { actor: OPERATOR, reason: "Her mailbox is gone" }, { id: user.id, email });
  }
  const next = await seedMember(deps, { email: "ada@example.com" });
  const [gone, here] = ["The email address of your account was changed", "You now sign in with this address"];
  expect((await findLetters(user.id)).subjects).toEqual(["Before", gone, gone, here, here]);
  expect((await findLetters(next.user.id)).subjects).toEqual([]);

  // The same for a member who changes it themselves.
  const body = { email: "next@example.com", password: TEST_PASSWORD };
  await api.read(requestEmailChange, { token: next.token, body });
  const { code: verificationCode = "" } = await createMailbox(deps).read(body.email);
  await api.read(verifyEmailChange, { token: next.token, body: { verificationCode } });
  expect((await findLetters(next.user.id)).subjects).toEqual(["You now sign in with another address"]);
});

test("finds emails that were queued before rows stored a recipient, even among many others", async () => {
  const { user } = await seedMember(deps, { email: "ada@example.com" });
  await post("ada@example.com", "First");
  for (let each = 0; each < 120; each += 1) await post(`somebody-${each}@example.com`, "Theirs");
  await post("ada@example.com", "Last");
  await db.update(backgroundJobs).set({ recipient: null }).where(eq(backgroundJobs.kind, "mail"));
  await post("ada@example.com", "New");
  expect(await findLetters(user.id)).toEqual({ subjects: ["First", "Last", "New"], opened: 123 });
});
