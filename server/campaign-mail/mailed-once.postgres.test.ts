import { afterAll, beforeEach, expect, test } from "vitest";
import { BY_OPERATOR } from "../../tests/support/api/administration.ts";
import { createTestApi, createTestClock, seedMember } from "../../tests/support/api/api.ts";
import { runDue } from "../../tests/support/api/jobs.ts";
import { createMailbox } from "../../tests/support/api/mailbox.ts";
import { watchLocks } from "../../tests/support/database/lock-watch.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { NewCampaign } from "../campaigns/contract.ts";
import { createCampaign } from "../campaigns/service.ts";
import { leaseDueJobs } from "../jobs/queries.ts";
import { createCampaignMailing, SLICE } from "./mailing.ts";

const database = await createTestDatabase();
// In the past, so that a campaign that has started by this clock has started by the database's clock too.
const clock = createTestClock("2026-01-20T12:00:00.000Z");
const { deps } = createTestApi(database, { now: clock.now });
const mailbox = createMailbox(deps);
const { block, hold } = watchLocks(database);
beforeEach(async () => {
  mailbox.mails.length = 0;
  await database.reset();
});
afterAll(() => database.close());

const survey = { id: "survey", name: "Survey", formUrl: "https://forms.example", bonusPoints: 10, taskNumber: 1 };
const kinds = createCampaignMailing(deps);
const job = { kind: "email-campaign", key: survey.id, payload: null, attempts: 1, lease: crypto.randomUUID() };
/** One step of a process that holds the job, or believes so. */
const run = () => kinds["email-campaign"].run(job);

async function seed(count: number): Promise<string[]> {
  const addresses = [];
  for (let index = 0; index < count; index += 1) addresses.push((await seedMember(deps)).user.email);
  await createCampaign(deps, BY_OPERATOR, NewCampaign.parse(survey));
  return addresses.toSorted();
}
async function told() {
  await mailbox.deliver();
  return mailbox.mails.map(({ to }) => to).toSorted();
}

test("several processes that have the job at once email each member once", async () => {
  const members = await seed(3 * SLICE + 1);
  for (let sent = -1; sent < (await told()).length;) {
    sent = mailbox.mails.length;
    await Promise.all([run(), run(), run()]);
  }
  expect(await told()).toEqual(members);
});

test("a process that dies between or within two steps emails nobody twice and leaves nobody out", async () => {
  const members = await seed(3 * SLICE);
  // Dies after a step, before it could say so.
  await leaseDueJobs(deps.db, { kinds, inHand: [], now: clock.now() });
  await run();
  expect(await told()).toHaveLength(SLICE);
  clock.advance(kinds["email-campaign"].lease);

  // Dies within a step: nothing of it stays.
  let posts = 0;
  const outbox: typeof deps.outbox = {
    ...deps.outbox,
    async post(...args) {
      posts += 1;
      if (posts === 3) throw new Error("The process dies");
      await deps.outbox.post(...args);
    },
  };
  await runDue(deps, createCampaignMailing({ ...deps, outbox }));
  expect(await told()).toHaveLength(SLICE);
  for (let sent = -1; sent < (await told()).length;) {
    sent = mailbox.mails.length;
    clock.advance(10 * 60_000);
    await runDue(deps, kinds);
  }
  expect(await told()).toEqual(members);
});

test("nobody is emailed about a campaign that ends at this moment", async () => {
  await seed(1);
  const release = await hold(`update campaigns set ends_at = '${clock.now().toISOString()}'`);
  const [step] = await block(() => runDue(deps, kinds));
  await release();
  expect(await step).toEqual(["done"]);
  expect(await told()).toEqual([]);
});
