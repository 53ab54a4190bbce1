import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { markPasswordFresh, readAudit, seedAdministrator } from "../../tests/support/api/administration.ts";
import { seedMember } from "../../tests/support/api/api.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { readPointsLog } from "../points/contract.ts";
import { claimReward, readSubmissions } from "../rewards/contract.ts";
import * as contract from "./contract.ts";

const { api, clock } = await openTestApi();
const { db } = api.deps;
let token: string;
let admin: string;
beforeEach(async () => {
  const seeded = await seedAdministrator(api.deps);
  [token, admin] = [seeded.token, seeded.user.id];
});

const DAY = 24 * 60 * 60 * 1000;
const reason = "Agreed with the team";
const survey = {
  id: "survey",
  name: "Survey",
  formUrl: "https://forms.example/survey",
  bonusPoints: 250.5,
  taskNumber: 1,
};
const made = { ...survey, type: "form", mandatory: false, buttonText: null, startsAt: null, endsAt: null };

const inDays = (days: number) => new Date(clock.now().getTime() + days * DAY).toISOString();
const create = (more: object = {}) =>
  api.call(contract.createCampaign, { token, body: { ...survey, reason, ...more } });
const change = (body: object, id = "survey") =>
  api.call(contract.changeCampaign, { token, params: { id }, body: { reason, ...body } });
const end = (id = "survey") => api.call(contract.endCampaign, { token, params: { id }, body: { reason } });
const read = () => api.read(contract.readCampaign, { token, params: { id: "survey" } });
const list = () => api.read(contract.readCampaigns, { token });
const states = async () => (await list()).map(({ state }) => state);
const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => String(status)).toSorted();
const complete = (member: string) =>
  api.read(contract.recordCompletions, { token, body: { completions: [{ member, campaignId: "survey" }], reason } });
const shown = async (member: { token: string }) =>
  (await api.read(readSubmissions, member)).map(({ campaignId, completed, claimable }) => ({
    campaignId,
    completed,
    claimable,
  }));

test("creates a campaign once, shows it to members immediately and adds an audit entry", async () => {
  const ben = await seedMember(api.deps);
  const answers = await Promise.all(Array.from({ length: 5 }, () => create()));
  expect(statusesOf(answers)).toEqual(["200", "409", "409", "409", "409"]);
  expect(await create()).toMatchObject({ body: { message: "There is already a campaign with this id." } });
  expect(await list()).toEqual([{ ...made, state: "running" }]);
  expect(await shown(ben)).toEqual([{ campaignId: "survey", completed: false, claimable: false }]);
  expect(await readAudit(db)).toMatchObject([
    { action: "campaign.created", subject: "campaign", subjectId: "survey", actorId: admin, reason, details: made },
  ]);
});

test("the audit entry of a change says what changed, and a change of nothing adds no entry", async () => {
  await create({ buttonText: "Start" });
  await create({ id: "other", taskNumber: 2 });
  expect(await change({ name: "A long survey", bonusPoints: 900, buttonText: null })).toMatchObject({
    status: 200,
    body: { ...made, name: "A long survey", bonusPoints: 900 },
  });
  expect((await change({ bonusPoints: 900 })).status).toBe(200);
  expect((await list()).map(({ name }) => name).toSorted()).toEqual(["A long survey", made.name].toSorted());
  expect((await readAudit(db)).slice(1)).toMatchObject([
    { action: "campaign.created" },
    {
      action: "campaign.changed",
      details: {
        before: { name: "Survey", bonusPoints: 250.5, buttonText: "Start" },
        after: { name: "A long survey", bonusPoints: 900, buttonText: null },
      },
    },
  ]);
  expect((await change({ name: "Nothing" }, "nothing")).status).toBe(404);
  expect((await end("nothing")).status).toBe(404);
});

test("a scheduled campaign starts and ends on time", async () => {
  const ben = await seedMember(api.deps);
  await create({ startsAt: inDays(1), endsAt: inDays(3) });
  expect([await states(), await shown(ben)]).toEqual([["scheduled"], []]);
  clock.advance(DAY);
  await markPasswordFresh(api.deps, token);
  expect([await states(), (await shown(ben)).length]).toEqual([["running"], 1]);
  clock.advance(2 * DAY);
  await markPasswordFresh(api.deps, token);
  expect([await states(), await shown(ben)]).toEqual([["ended"], []]);

  expect(await change({ endsAt: null })).toMatchObject({ body: { state: "running" } });
  expect(await shown(ben)).toHaveLength(1);
});

test("a completed campaign stays visible and can be claimed if its start is postponed", async () => {
  const ada = await seedMember(api.deps);
  await create();
  await complete(ada.user.id);
  expect(await change({ startsAt: inDays(1) })).toMatchObject({ body: { state: "scheduled" } });
  expect(await shown(ada)).toEqual([{ campaignId: "survey", completed: true, claimable: true }]);
  expect((await api.call(claimReward, { token: ada.token, params: { id: "survey" } })).status).toBe(200);
  expect(await shown(ada)).toEqual([{ campaignId: "survey", completed: true, claimable: false }]);
});

test("only members who completed a campaign before its end can claim it afterwards, once", async () => {
  const [ada, ben] = [await seedMember(api.deps), await seedMember(api.deps)];
  await create();
  await complete(ada.user.id);
  expect(await end()).toMatchObject({ status: 200, body: { state: "ended", endsAt: clock.now().toISOString() } });
  const endedAt = clock.now().toISOString();
  clock.advance(400 * DAY);
  const [late, again] = [await seedAdministrator(api.deps), await seedMember(api.deps)];
  token = late.token;
  expect(await end()).toMatchObject({ body: { endsAt: endedAt } });
  expect(await complete(ben.user.id)).toMatchObject({ recorded: 0, results: [{ outcome: "not-running" }] });

  const session = await api.deps.db.execute(
    sql`update sessions set expires_at = ${inDays(1)}, last_seen_at = ${inDays(0)}`,
  );
  expect(session.rowCount).toBeGreaterThan(0);
  expect(await shown(ada)).toEqual([{ campaignId: "survey", completed: true, claimable: true }]);
  expect([await shown(ben), await shown(again)]).toEqual([[], []]);
  const claim = (member: { token: string }) => api.call(claimReward, { token: member.token, params: { id: "survey" } });
  const claims = await Promise.all([claim(ada), claim(ada), claim(ada)]);
  expect(statusesOf(claims)).toEqual(["200", "409", "409"]);
  expect(await claim(ben)).toMatchObject({ status: 409, body: { message: "This campaign has ended." } });
  expect((await api.read(readPointsLog, { token: ada.token })).data).toMatchObject([{ points: 250.5 }]);
});

test("a campaign that has not begun can be ended", async () => {
  await create({ startsAt: inDays(1) });
  const { user } = await seedMember(api.deps);
  expect(await end()).toMatchObject({ status: 200, body: { state: "ended", endsAt: clock.now().toISOString() } });
  const told = { member: user.id, campaignId: "survey", completedAt: inDays(-1) };
  const record = () => api.read(contract.recordCompletions, { token, body: { completions: [told], reason } });
  expect(await record()).toMatchObject({ results: [{ outcome: "not-running" }] });
  // Ends the campaign at the very moment it begins.
  await create({ id: "now", startsAt: inDays(0) });
  expect(await end("now")).toMatchObject({ status: 200, body: { state: "ended", endsAt: inDays(0) } });
});

test("administrators cannot change the points of a campaign they have completed and not claimed", async () => {
  const other = await seedAdministrator(api.deps);
  await create();
  const asAda = token;
  const raise = (by: string, bonusPoints: number) => {
    token = by;
    return change({ bonusPoints });
  };
  expect((await raise(asAda, 300)).status).toBe(200);
  token = other.token;
  await complete(admin);
  const message =
    "You can still claim this campaign: claim it first, or ask another administrator to change its points.";
  expect(await raise(asAda, 1_000_000)).toMatchObject({
    status: 409,
    body: { message, fields: { bonusPoints: [message] } },
  });
  expect((await change({ name: "A long survey" })).status).toBe(200);
  expect(await raise(other.token, 400)).toMatchObject({ status: 200, body: { bonusPoints: 400 } });

  expect((await api.call(claimReward, { token: asAda, params: { id: "survey" } })).status).toBe(200);
  expect((await raise(asAda, 500)).status).toBe(200);
  expect((await api.read(readPointsLog, { token: asAda })).data).toMatchObject([{ points: 400 }]);
});

test("refuses a change that was based on an outdated state of the campaign", async () => {
  await create();
  const { seen } = await read();
  await end();
  const typed = { name: "Mended", endsAt: null, seen };
  expect(await change(typed)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining("changed the campaign in the meantime") },
  });
  expect(await read()).toMatchObject({ campaign: { name: "Survey", state: "ended" } });

  const now = { ...typed, seen: (await read()).seen };
  expect([(await change(now)).status, (await change(now)).status]).toEqual([200, 200]);
  expect((await change({ name: "By a program" })).status).toBe(200);
  const { seen: last } = await read();
  const atOnce = await Promise.all([1, 2, 3, 4].map((nth) => change({ name: `Name ${nth}`, seen: last })));
  expect(statusesOf(atOnce)).toEqual(["200", "409", "409", "409"]);
  expect((await readAudit(db)).filter(({ action }) => action === "campaign.changed")).toHaveLength(4);
});

test.each([
  [{ bonusPoints: 0 }, "It must give points."],
  [{ bonusPoints: 1_000_001 }, "It can give 1.000.000 points at most."],
  [{ bonusPoints: 0.001 }, "Points have two decimals at most."],
  [{ bonusPoints: 1e-18 }, "Points have two decimals at most."],
  [{ bonusPoints: 0.1 + 0.2 }, "Points have two decimals at most."],
  [{ formUrl: "http://forms.example" }, "The form needs an https address."],
  [{ formUrl: "javascript:alert(1)" }, "The form needs an https address."],
  [{ formUrl: "https:/forms.example" }, "Begin the address with https:// in small letters."],
  [{ formUrl: "HTTPS://forms.example" }, "Begin the address with https:// in small letters."],
  [{ name: " " }, "Enter a name."],
  [{ name: "x".repeat(121) }, "Use 120 characters at most."],
  [{ startsAt: "2026-12-02T00:00:00Z", endsAt: "2026-12-01T00:00:00+01:00" }, "It must end after it starts."],
  [{ startsAt: "tomorrow" }, "Write a time as 2026-12-01T00:00:00Z."],
])("refuses to create or change a campaign with %o", async (wrong, message) => {
  expect(await create(wrong)).toMatchObject({ status: 400, body: { message } });
  await create();
  expect(await change(wrong)).toMatchObject({ status: 400, body: { message } });
  expect(await list()).toMatchObject([made]);
});

test.each([
  ["heartbeat", "That is the id of the reward for heartbeats."],
  ["Survey 1", "An id has lowercase letters, digits and hyphens, 64 at most."],
])("refuses the id %s", async (id, message) => {
  expect(await create({ id })).toMatchObject({ status: 400, body: { message } });
});

test("refuses an end before the start that is already set", async () => {
  await create({ startsAt: inDays(2) });
  expect(await change({ endsAt: inDays(1) })).toMatchObject({
    status: 400,
    body: { fields: { endsAt: ["It must end after it starts."] } },
  });
});

test.each([
  "bonus_points = 0",
  "bonus_points = 1000001",
  "form_url = 'http://forms.example'",
  "name = ''",
  "starts_at = now(), ends_at = now()",
  "id = 'heartbeat'",
])("the database itself refuses %s", async (assignment) => {
  await create();
  const update = db.execute(sql.raw(`update campaigns set ${assignment}`));
  await expect(update).rejects.toMatchObject({ cause: { code: "23514" } });
});

test("a campaign with an invalid address must be corrected before anything else in it changes", async () => {
  await db.execute(sql`
    alter table campaigns drop constraint campaigns_form_url`);
  await db.execute(sql`
    insert into campaigns (id, name, type, form_url, bonus_points, mandatory, task_number)
    values ('Old_One', 'Old', 'form', 'http://forms.example', 10, false, 1)`);
  await db.execute(sql`
    alter table campaigns add constraint campaigns_form_url
    check (form_url ~ '^https://' and char_length(form_url) <= 500) not valid`);
  expect(await end("Old_One")).toMatchObject({
    status: 400,
    body: { fields: { formUrl: ["The form needs an https address."] } },
  });
  expect((await change({ formUrl: "https://forms.example" }, "Old_One")).status).toBe(200);
  expect((await end("Old_One")).status).toBe(200);
});
