import { sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { readAudit, seedAdministrator } from "../../tests/support/api/administration.ts";
import { createTestApi, createTestClock, NO_CLIENT, seedMember } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { startSession } from "../sessions/service.ts";
import * as contract from "./contract.ts";

const database = await createTestDatabase();
const { db } = database;
const createClock = () => createTestClock("2026-11-20T23:59:00.000Z");
let clock = createClock();
const now = () => clock.now();
const api = createTestApi(database, { now });
/** Another process on the same database. */
const other = createTestApi(database, { now });
let admin: Awaited<ReturnType<typeof seedAdministrator>>;
let token: string;
beforeEach(async () => {
  clock = createClock();
  await database.reset();
  admin = await seedAdministrator(api.deps);
  ({ token } = admin);
});
afterAll(() => database.close());

const DAY = 24 * 60 * 60 * 1000;
const reason = "The council of members agreed";
const params = { document: "tos" };
const draft = {
  title: "Terms of Service",
  changes: "Points have a name of their own.",
  source: "## In short {#short}\n\nBe kind.\n\n- One account each\n- No bots",
  effectiveFrom: "2026-12-01",
  revision: 0,
};
const save = (more: object = {}) =>
  api.call(contract.saveLegalDraft, { token, params, body: { ...draft, ...more, reason } });
const publish = (revision = 1, by = api) =>
  by.call(contract.publishLegalDraft, { token, params, body: { revision, reason } });
const discard = (revision: number) =>
  api.call(contract.discardLegalDraft, { token, params, body: { revision, reason } });
const editing = () => api.read(contract.readLegalEditing, { token, params });

test("a draft is previewed as members will read it, and is not public", async () => {
  expect(await editing()).toMatchObject({
    draft: null,
    preview: null,
    start: { revision: 0, title: "Terms of Service" },
  });
  expect((await save()).status).toBe(200);
  const { draft: saved, preview } = await editing();
  expect(saved).toMatchObject({ ...draft, revision: 1, savedBy: { email: admin.user.email } });
  expect(preview).toMatchObject({
    version: 3,
    standing: "announced",
    changes: draft.changes,
    sections: [{ id: "short", title: "In short", text: ["Be kind.", ["One account each", "No bots"]] }],
  });
  const seen = await api.call(contract.readLegalDocument, { query: { document: "tos", version: 3 } });
  expect(seen.status).toBe(404);
});

test("a published version is announced, then applies from its day at every process and asks members again", async () => {
  const { token: mine } = await seedMember(api.deps);
  await save();
  const { preview } = await editing();
  expect((await publish()).status).toBe(200);
  const announced = await other.read(contract.readLegalDocument, { query: { document: "tos", version: 3 } });
  expect(announced).toEqual({ ...preview, versions: announced.versions });
  expect(announced).toMatchObject({ standing: "announced", effectiveFrom: "2026-12-01" });
  const isAccepted = async () => [
    (await api.read(contract.readTermsStatus, { token: mine })).istosAccepted,
    (await other.read(contract.readTermsStatus, { token: mine })).istosAccepted,
  ];
  expect(await isAccepted()).toEqual([true, true]);
  const early = await api.call(contract.acceptTerms, { token: mine, query: { version: 3 } });
  expect(early.status).toBe(404);

  clock.advance(new Date("2026-12-01T00:00:00.000Z").getTime() - clock.now().getTime() - 1);
  expect(await isAccepted()).toEqual([true, true]);
  clock.advance(1);
  expect(await isAccepted()).toEqual([false, false]);
  expect(await other.read(contract.readLegalDocument, { query: { document: "tos" } })).toMatchObject({ version: 3 });
  const privacy = await api.read(contract.readPrivacyStatus, { token: mine });
  expect(privacy).toMatchObject({ isppAccepted: true, version: 2 });
  expect(await other.read(contract.acceptTerms, { token: mine })).toMatchObject({ success: true });
  expect(await isAccepted()).toEqual([true, true]);
  const { rows } = await db.execute<{ hash: string }>(
    sql`select encode(text_hash, 'hex') as hash from legal_acceptances where document = 'tos' and version = 3`,
  );
  expect(rows).toEqual([{ hash: announced.sha256 }]);
  const published = { action: "document.published", subject: "document", subjectId: "tos", reason };
  expect((await readAudit(db)).at(-1)).toMatchObject({
    ...published,
    details: { version: 3, effectiveFrom: "2026-12-01", sha256: announced.sha256 },
  });
});

test("only one of two concurrent publications succeeds, and an outdated revision cannot be published", async () => {
  const { token: another } = await seedAdministrator(api.deps, "ben@example.com");
  const publishToo = (by: typeof api) =>
    by.call(contract.publishLegalDraft, { token: another, params, body: { revision: 2, reason } });
  await save();
  await save({ revision: 1, title: "Terms" });
  expect(await save({ revision: 1 })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining("changed the draft") },
  });
  expect((await publish(1)).status).toBe(409);
  const answers = await Promise.all([publish(2), publishToo(other)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect((await editing()).versions).toMatchObject([{ version: 3 }, { version: 2 }, { version: 1 }]);
  expect((await editing()).start).toMatchObject({ title: "Terms", effectiveFrom: "2026-12-02" });
});

test("rejects a revision number that no draft can have", async () => {
  const revision = 2 ** 31;
  const answers = [await save({ revision }), await discard(revision), await publish(revision)];
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
});

test.each(["update legal_versions set title = 'Another'", "delete from legal_versions", "truncate legal_versions"])(
  "the database refuses: %s",
  async (statement) => {
    await save();
    await publish();
    await expect(db.execute(sql.raw(statement))).rejects.toMatchObject({
      cause: { message: expect.stringContaining("legal_versions is append-only") },
    });
  },
);

test("a version must take effect on a UTC day after today and after the version before it", async () => {
  expect(await save({ effectiveFrom: "2026-11-20" })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining("first possible day is 2026-11-21") },
  });
  expect((await save({ effectiveFrom: "2026-11-21" })).status).toBe(200);
  // A minute later, the chosen day has come.
  clock.advance(60_000);
  expect(await publish()).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining("first possible day is 2026-11-22") },
  });
  expect((await editing()).draft).not.toBeNull();
  expect((await save({ revision: 1, effectiveFrom: "2026-11-22" })).status).toBe(200);
  expect((await publish(2)).status).toBe(200);
  expect(await save({ effectiveFrom: "2026-11-22" })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining("first possible day is 2026-11-23") },
  });
});

test("a draft can be discarded only at its current revision", async () => {
  await save();
  expect((await discard(2)).status).toBe(409);
  expect((await discard(1)).status).toBe(200);
  expect((await editing()).draft).toBeNull();
});

test("the revision of a discarded or published draft does not apply to a later draft", async () => {
  await save();
  const seen = (await editing()).draft?.revision ?? 0;
  await discard(seen);
  await save({ source: "## In short\n\nWhat nobody was shown." });
  expect(await publish(seen)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining("changed the draft") },
  });
  const next = (await editing()).draft?.revision ?? 0;
  expect(next).toBeGreaterThan(seen);
  expect((await publish(next)).status).toBe(200);
  await save({ effectiveFrom: "2026-12-02" });
  expect((await discard(next)).status).toBe(409);
});

test("an administrator who repeats a publication or discard succeeds, but it takes effect once", async () => {
  await save();
  const published = await Promise.all(Array.from({ length: 10 }, (_, nth) => publish(1, nth % 2 ? api : other)));
  expect(new Set(published.map(({ status }) => status))).toEqual(new Set([200]));
  await save({ effectiveFrom: "2026-12-02" });
  const { draft: next } = await editing();
  expect(await publish(1)).toMatchObject({ status: 200, body: { draft: next, versions: [{ version: 3 }, {}, {}] } });
  const discarded = await Promise.all([discard(2), discard(2)]);
  expect(discarded.map(({ status }) => status)).toEqual([200, 200]);
  expect((await readAudit(db)).map(({ action }) => action)).toEqual(
    ["saved", "published", "saved", "discarded"].map((done) => `document.${done}`),
  );
  const { token: another } = await seedAdministrator(api.deps, "ben@example.com");
  for (const done of [contract.publishLegalDraft, contract.discardLegalDraft]) {
    const late = await api.call(done, { token: another, params, body: { revision: 1, reason } });
    expect(late.status).toBe(409);
  }
});

test("a draft that an administrator sends twice is saved once, and both requests succeed", async () => {
  const first = await Promise.all([save(), save()]);
  expect(first).toMatchObject([
    { status: 200, body: { draft: { revision: 1 } } },
    { status: 200, body: { draft: { revision: 1 } } },
  ]);
  const next = { revision: 1, title: "Terms" };
  const second = await Promise.all([save(next), save(next)]);
  expect(second.map(({ status }) => status)).toEqual([200, 200]);
  expect((await readAudit(db)).map(({ action }) => action)).toEqual(["document.saved", "document.saved"]);
  expect((await save({ ...next, changes: "Others." })).status).toBe(409);
  const { token: another } = await seedAdministrator(api.deps, "ben@example.com");
  const body = { ...draft, ...next, reason };
  expect((await api.call(contract.saveLegalDraft, { token: another, params, body })).status).toBe(409);
});

test("rejects a day that is more than a year away", async () => {
  for (const effectiveFrom of ["2027-11-22", "2206-12-31", "9999-12-31"]) {
    const problem = expect.stringMatching(/^The last possible day is 2027-11-21 \(UTC\)/);
    expect(await save({ effectiveFrom })).toMatchObject({
      status: 400,
      body: { fields: { effectiveFrom: [problem] } },
    });
  }
  expect((await save({ effectiveFrom: "2027-11-21" })).status).toBe(200);
});

test.each([
  [{ source: "Be kind." }, "Line 1: begin with a heading, such as ## In short."],
  [{ source: "## In short" }, "The section In short has no text."],
  [{ source: "## A\n\nb\n\n## A\n\nb" }, "Line 5: two sections have the address a."],
  [{ source: '## A {#"><script>}\n\nb' }, /cannot be an address/],
  [{ source: "## A {#contents}\n\nb" }, /cannot be an address/],
  [{ source: "##   \n\nb" }, /write a heading/],
  [{ source: "x".repeat(60_001) }, "Use 60.000 characters at most."],
  [{ title: "Terms\u202Eecivres" }, "Leave out characters that nobody can see."],
  [{ changes: "" }, "Write what is different from the version before."],
  [{ effectiveFrom: "tomorrow" }, "Write a day as 2026-12-31."],
  [{ effectiveFrom: "2027-02-30" }, "Write a day as 2026-12-31."],
])("rejects a draft that could not be published (%#)", async (wrong, message) => {
  const answer = await save(wrong);
  expect(answer.status).toBe(400);
  expect((answer.body as { message: string }).message).toMatch(message);
  expect((await editing()).draft).toBeNull();
});

test("saves and previews a text of the maximum length without delay", async () => {
  const source = `## ${" ".repeat(59_000)}a\u2028b\n\ntext`;
  expect((await save({ source })).status).toBe(200);
  expect((await editing()).preview?.sections).toEqual([{ id: "a", title: "a", text: ["b", "text"] }]);
});

test("drafts are forbidden to members, and require a recent password from administrators", async () => {
  await save();
  const member = await seedMember(api.deps);
  clock.advance(DAY);
  const { token: old } = await startSession(api.deps, { userId: admin.user.id, client: NO_CLIENT });
  for (const [who, error] of [
    [member.token, "FORBIDDEN"],
    [old, "PASSWORD_REQUIRED"],
  ] as const) {
    const asked = { token: who, params };
    const answers = await Promise.all([
      api.call(contract.readLegalDrafts, asked),
      api.call(contract.readLegalEditing, asked),
      api.call(contract.saveLegalDraft, { ...asked, body: { ...draft, reason } }),
      api.call(contract.discardLegalDraft, { ...asked, body: { revision: 1, reason } }),
      api.call(contract.publishLegalDraft, { ...asked, body: { revision: 1, reason } }),
    ]);
    for (const answer of answers) expect(answer).toMatchObject({ status: 403, body: { error } });
  }
});
