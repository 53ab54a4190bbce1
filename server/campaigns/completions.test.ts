import { beforeEach, expect, test } from "vitest";
import { readAudit, seedAdministrator } from "../../tests/support/api/administration.ts";
import { seedMember } from "../../tests/support/api/api.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { inTransaction } from "../db/transaction.ts";
import { readStats } from "../points/contract.ts";
import { claimReward, readSubmissions } from "../rewards/contract.ts";
import { importCompletions, MAX_COMPLETIONS, recordCompletions, type CompletionFile } from "./contract.ts";
import { saveCampaigns } from "./service.ts";

const { api, clock } = await openTestApi();
const { db } = api.deps;
let token: string;
let admin: string;
beforeEach(async () => {
  await inTransaction(db, (tx) => saveCampaigns(tx, CAMPAIGNS));
  const seeded = await seedAdministrator(api.deps);
  [token, admin] = [seeded.token, seeded.user.id];
});

const campaign = {
  name: "Survey",
  type: "form",
  formUrl: "https://forms.example",
  bonusPoints: 250,
  mandatory: false,
  taskNumber: 1,
};
const CAMPAIGNS = [
  { ...campaign, id: "survey" },
  { ...campaign, id: "november", startsAt: new Date("2026-11-01"), endsAt: new Date("2026-11-10") },
];

const RECORDED = { outcome: "recorded", message: "Recorded." };
const reason = "Checked by hand";
const record = (...completions: object[]) => api.read(recordCompletions, { token, body: { completions, reason } });
const outcomesOf = async (...completions: object[]) =>
  (await record(...completions)).results.map(({ outcome }) => outcome);
const importFile = (file: CompletionFile) => api.read(importCompletions, { token, body: { ...file, reason } });
const isDone = async (member: { token: string }) =>
  (await api.read(readSubmissions, member)).filter(({ completed }) => completed).map(({ campaignId }) => campaignId);

test("records a completion by email address or id and adds an audit entry about the member", async () => {
  const [ada, ben] = [await seedMember(api.deps), await seedMember(api.deps)];
  const at = clock.now().toISOString();
  expect(
    await record(
      { member: ada.user.email.toUpperCase(), campaignId: "survey" },
      { member: ben.user.id, campaignId: "survey" },
    ),
  ).toEqual({ recorded: 2, results: [RECORDED, RECORDED] });
  expect([await isDone(ada), await isDone(ben)]).toEqual([["survey"], ["survey"]]);
  const noted = { action: "completion.recorded", subject: "member", actor: "administrator", actorId: admin, reason };
  const entries = await readAudit(db);
  expect(entries).toHaveLength(2);
  for (const { user } of [ada, ben]) {
    const details = { campaignId: "survey", completedAt: at };
    expect(entries).toContainEqual(expect.objectContaining({ ...noted, subjectId: user.id, details }));
  }
});

test("administrators cannot record their own completions, one by one or from a file", async () => {
  const { user } = await seedMember(api.deps);
  expect(
    await record({ member: admin, campaignId: "survey" }, { member: user.id, campaignId: "survey" }),
  ).toMatchObject({
    recorded: 1,
    results: [{ outcome: "own", message: expect.stringContaining("another administrator") }, RECORDED],
  });
  const text = `member,campaignId\n${admin},survey\n${user.id},survey`;
  expect(await importFile({ format: "csv", text })).toMatchObject({
    recorded: 0,
    lines: [
      { line: 2, outcome: "own" },
      { line: 3, outcome: "already" },
    ],
  });
  const { token: another } = await seedAdministrator(api.deps, "ben@example.com");
  const body = { completions: [{ member: admin, campaignId: "survey" }], reason };
  expect(await api.read(recordCompletions, { token: another, body })).toMatchObject({ recorded: 1 });
});

test("an omitted value may be anywhere in its line", async () => {
  const { user } = await seedMember(api.deps);
  const text = `completedAt,member,campaignId\n,${user.email},survey\n "" , "${user.email}" ,survey\n,,\n,x\nx`;
  expect((await importFile({ format: "csv", text })).lines).toMatchObject([
    { outcome: "recorded" },
    { outcome: "already" },
    { outcome: "invalid" },
    { outcome: "invalid", message: "The line has 2 values, not 3." },
    { outcome: "invalid", message: "The line has 1 value, not 3." },
  ]);
});

test.each([
  ["semicolons", ";"],
  ["tabs", "\t"],
])("reads a file with %s between its values, as spreadsheets write it", async (_, separator) => {
  const { user } = await seedMember(api.deps);
  const rows = [
    ["completedAt", "member", "campaignId"],
    ["", user.email, "survey"],
    ["2026-11-05T00:00:00Z", ` "${user.email}" `, '"november"'],
    [user.email, "survey"],
    ["20.11.2026 12:00", user.email, "survey"],
  ];
  const text = `\uFEFF${rows.map((row) => row.join(separator)).join("\r\n")}\r\n`;
  expect((await importFile({ format: "csv", text })).lines).toMatchObject([
    { line: 2, outcome: "recorded" },
    { line: 3, outcome: "recorded" },
    { line: 4, outcome: "invalid", message: "The line has 2 values, not 3." },
    { line: 5, outcome: "invalid", message: "Write a time as 2026-12-01T00:00:00Z." },
  ]);
});

test("records fifty concurrent completions of one member and campaign as one", async () => {
  const { user, token: own } = await seedMember(api.deps);
  const completion = { member: user.id, campaignId: "survey" };
  const answers = await Promise.all(Array.from({ length: 50 }, () => record(completion)));
  expect(answers.reduce((sum, { recorded }) => sum + recorded, 0)).toBe(1);
  expect(await outcomesOf(completion, completion)).toEqual(["already", "already"]);
  expect(await readAudit(db)).toHaveLength(1);
  expect(await isDone({ token: own })).toEqual(["survey"]);
});

test("says why a completion cannot be recorded, and records the others", async () => {
  const { user } = await seedMember(api.deps);
  const survey = { member: user.email, campaignId: "survey" };
  expect(
    await outcomesOf(
      { ...survey, member: "nobody@example.com" },
      { ...survey, campaignId: "nothing" },
      { ...survey, completedAt: "2026-11-20T12:05:00.001Z" },
      { ...survey, completedAt: "2026-11-20T12:05:00Z" },
      survey,
    ),
  ).toEqual(["unknown-member", "unknown-campaign", "in-future", "recorded", "already"]);
  expect(await readAudit(db)).toMatchObject([{ details: { completedAt: "2026-11-20T12:00:00.000Z" } }]);
});

test("reports a completion as already recorded, even after its campaign has ended", async () => {
  const [ada, ben] = [await seedMember(api.deps), await seedMember(api.deps)];
  const told = { member: ada.user.email, campaignId: "november" };
  await record({ ...told, completedAt: "2026-11-05T00:00:00Z" });
  expect(await outcomesOf(told, { ...told, member: ben.user.email })).toEqual(["already", "not-running"]);
  expect(await outcomesOf({ ...told, completedAt: "2026-12-01T00:00:00Z" })).toEqual(["already"]);
  expect(await readAudit(db)).toHaveLength(1);
});

test("records only completions from the time when the campaign ran, even if reported later", async () => {
  const members = await Promise.all(Array.from({ length: 5 }, () => seedMember(api.deps)));
  const times = [
    "2026-10-31T23:59:59Z",
    "2026-11-01T00:00:00Z",
    "2026-11-09T23:59:59Z",
    "2026-11-10T00:00:00Z",
    undefined,
  ];
  const completions = times.map((completedAt, index) => ({
    member: members[index]?.user.id,
    campaignId: "november",
    completedAt,
  }));
  const not = "not-running";
  expect(await outcomesOf(...completions)).toEqual([not, "recorded", "recorded", not, not]);
});

test.each([
  [[{ member: "ada", campaignId: "survey" }], "Name a member by email address or id."],
  [[{ member: "ada@example.com", campaignId: "a\nb" }], "That is not the id of a campaign."],
  [[], "Name at least one completion."],
  [
    Array.from({ length: 501 }, () => ({ member: "ada@example.com", campaignId: "survey" })),
    "Name at most 500 completions.",
  ],
])("refuses a malformed list as a whole (%#)", async (completions, message) => {
  const answer = await api.call(recordCompletions, { token, body: { completions, reason } });
  expect(answer).toMatchObject({ status: 400, body: { message } });
});

test("imports a file with commas line by line and says what is wrong with each bad line", async () => {
  const [ada, ben] = [
    await seedMember(api.deps, { email: "ada@example.com" }),
    await seedMember(api.deps, { email: "ben@example.com" }),
  ];
  const text = [
    "\uFEFFcampaignId,member,completedAt",
    "survey,ada@example.com,2026-11-19T08:00:00Z",
    `"survey", "${ben.user.id}" ,`,
    "",
    "survey,ada@example.com",
    "survey,ada,",
    "survey,nobody@example.com,",
    "survey,ben@example.com,yesterday",
    "nothing,ben@example.com,",
    "november,ben@example.com,2026-11-05T00:00:00Z",
  ].join("\r\n");

  expect(await importFile({ format: "csv", text })).toEqual({
    recorded: 3,
    lines: [
      { line: 2, outcome: "recorded", message: "Recorded." },
      { line: 3, outcome: "recorded", message: "Recorded." },
      { line: 5, outcome: "invalid", message: "The line has 2 values, not 3." },
      { line: 6, outcome: "invalid", message: "Name a member by email address or id." },
      { line: 7, outcome: "unknown-member", message: "No member has this address or id." },
      { line: 8, outcome: "invalid", message: "Write a time as 2026-12-01T00:00:00Z." },
      { line: 9, outcome: "unknown-campaign", message: "There is no such campaign." },
      { line: 10, outcome: "recorded", message: "Recorded." },
    ],
  });
  expect([await isDone(ada), await isDone(ben)]).toEqual([["survey"], ["november", "survey"]]);
  expect((await importFile({ format: "csv", text })).recorded).toBe(0);
  expect(await api.call(claimReward, { token: ada.token, params: { id: "survey" } })).toMatchObject({ status: 200 });
  expect(await api.read(readStats, { token: ada.token })).toMatchObject({ points_total: 250 });
});

test("imports a file of JSON lines line by line, however long it is", async () => {
  const { user } = await seedMember(api.deps);
  const line = JSON.stringify({ member: user.email, campaignId: "survey" });
  const text = [...Array(MAX_COMPLETIONS).fill(line), "{", "null", line].join("\n");
  const { recorded, lines } = await importFile({ format: "jsonl", text });
  expect(recorded).toBe(1);
  expect(lines.map(({ line: number }) => number)).toEqual(Array.from({ length: MAX_COMPLETIONS + 3 }, (_, i) => i + 1));
  expect(lines.slice(-4).map(({ outcome }) => outcome)).toEqual(["already", "invalid", "invalid", "already"]);
  expect(await readAudit(db)).toHaveLength(1);
});

test("accepts lines that end with a carriage return alone, as spreadsheets on a Mac can write them", async () => {
  const { user } = await seedMember(api.deps);
  const text = `member,campaignId\r${user.email},survey\r\r${user.email},nothing\r`;
  expect((await importFile({ format: "csv", text })).lines).toMatchObject([
    { line: 2, outcome: "recorded" },
    { line: 4, outcome: "unknown-campaign" },
  ]);
});

test.each(["member,campaign", "ada@example.com,survey", "member,campaignId,extra", "member,member,campaignId"])(
  "refuses a file with the header %s",
  async (head) => {
    const { recorded, lines } = await importFile({ format: "csv", text: `${head}\nada@example.com,survey` });
    expect({ recorded, lines }).toMatchObject({ recorded: 0, lines: [{ line: 1, outcome: "invalid" }] });
    expect(lines).toHaveLength(1);
  },
);
