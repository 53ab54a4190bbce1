import { afterAll, beforeEach, expect, test } from "vitest";
import { seedAdministrator } from "../../tests/support/api/administration.ts";
import { createTestApi, createTestClock, seedMember } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import * as contract from "./contract.ts";
import { acceptPrivacy, acceptTerms, readLegalDocument, readPrivacyStatus, readTermsStatus } from "./contract.ts";
import { DOCUMENTS } from "./documents.ts";
import { hashText } from "./legal-text.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

const database = await createTestDatabase();
let clock = createTestClock();
const api = createTestApi(database, { now: () => clock.now() });

beforeEach(async () => {
  clock = createTestClock();
  await database.reset();
});
afterAll(() => database.close());

const PAIRS = [
  {
    document: "tos",
    status: readTermsStatus,
    accept: acceptTerms,
    isAccepted: async (token: string) => (await api.read(readTermsStatus, { token })).istosAccepted,
    message: "Terms of Service accepted successfully",
  },
  {
    document: "pp",
    status: readPrivacyStatus,
    accept: acceptPrivacy,
    isAccepted: async (token: string) => (await api.read(readPrivacyStatus, { token })).isppAccepted,
    message: "Privacy Policy accepted successfully",
  },
] as const;

async function readRows() {
  const { rows } = await database.pool.query<{ document: string; version: number; hash: string; at: Date }>(
    `select document, version, encode(text_hash, 'hex') as hash, accepted_at as at from legal_acceptances
     order by document, version`,
  );
  return rows.map(({ document, version, hash, at }) => ({ document, version, hash, at: at.toISOString() }));
}

// specification: 3.55, 3.57, 7.12, 7.14, 7.15, 7.16
test.for(PAIRS)("$status.path is false until $accept.path, for this document and member alone", async (pair) => {
  const { token } = await seedMember(api.deps, { accepted: [] });
  const other = await seedMember(api.deps, { accepted: [] });
  expect(await pair.isAccepted(token)).toBe(false);

  expect(await api.read(pair.accept, { token })).toEqual({ success: true, message: pair.message });

  expect(await pair.isAccepted(token)).toBe(true);
  expect(await pair.isAccepted(other.token)).toBe(false);
  const different = PAIRS.find(({ document }) => document !== pair.document) ?? pair;
  expect(await different.isAccepted(token)).toBe(false);
});

test.for(PAIRS)("$accept.path stores version, hash and time, and accepting again changes nothing", async (pair) => {
  const { token } = await seedMember(api.deps, { accepted: [] });
  const { version, sha256 } = await api.read(readLegalDocument, { query: { document: pair.document } });
  const at = clock.now().toISOString();
  await api.read(pair.accept, { token });

  clock.advance(60_000);
  await Promise.all(Array.from({ length: 4 }, () => api.read(pair.accept, { token })));

  expect(await readRows()).toEqual([{ document: pair.document, version, hash: sha256, at }]);
});

test.for(PAIRS)("a new version makes $status.path false again from its first day on", async (pair) => {
  const [first, second] = DOCUMENTS[pair.document];
  clock = createTestClock(new Date(new Date(second?.effectiveFrom ?? "").getTime() - 1));
  const { token } = await seedMember(api.deps, { accepted: [] });
  await api.read(pair.accept, { token });
  expect(await pair.isAccepted(token)).toBe(true);

  clock.advance(1);
  expect(await pair.isAccepted(token)).toBe(false);
  await api.read(pair.accept, { token });
  expect(await pair.isAccepted(token)).toBe(true);

  const rows = await readRows();
  expect(rows.map(({ version }) => version)).toEqual([first.version, second?.version]);
  expect(rows[0]?.hash).not.toBe(rows[1]?.hash);
});

test.for(PAIRS)(
  "$accept.path counts only for the version that was read, even if another applies by then",
  async (pair) => {
    const [first, second] = DOCUMENTS[pair.document];
    clock = createTestClock(new Date(new Date(second?.effectiveFrom ?? "").getTime() - 1));
    const { token } = await seedMember(api.deps, { accepted: [] });
    const readVersion = async () => (await api.call(pair.status, { token })).body;
    expect(await readVersion()).toMatchObject({ version: first.version, acceptedBefore: false });
    const early = await api.call(pair.accept, { token, query: { version: second?.version } });
    expect(early).toMatchObject({ status: 404, body: { error: "NOT_FOUND" } });

    clock.advance(1);
    const late = await api.read(pair.accept, { token, query: { version: first.version } });
    expect(late.success).toBe(false);
    expect((await readRows()).map((row) => row.version)).toEqual([first.version]);
    expect(await readVersion()).toMatchObject({ version: second?.version, acceptedBefore: true });
    expect(await pair.isAccepted(token)).toBe(false);

    expect(await api.read(pair.accept, { token, query: { version: second?.version } })).toMatchObject({
      success: true,
    });
    expect(await pair.isAccepted(token)).toBe(true);
  },
);

test.for(PAIRS)("anybody can read the versions of $document: the current, past and announced ones", async (pair) => {
  const { document } = pair;
  const [first, second] = DOCUMENTS[document];
  const days = [first.effectiveFrom, second?.effectiveFrom];
  const current = await api.read(readLegalDocument, { query: { document } });
  expect(current).toMatchObject({ version: 2, effectiveFrom: days[1], standing: "current" });
  expect(current.changes).toBeTruthy();
  expect(current.versions).toEqual([
    { version: 2, effectiveFrom: days[1], standing: "current" },
    { version: 1, effectiveFrom: days[0], standing: "past" },
  ]);
  expect(await api.read(readLegalDocument, { query: { document, version: 1 } })).toMatchObject({
    version: 1,
    standing: "past",
    changes: null,
  });

  clock.advance(-60 * DAY_MS);
  expect(await api.read(readLegalDocument, { query: { document } })).toMatchObject({ version: 1, standing: "current" });
  expect(await api.read(readLegalDocument, { query: { document, version: 2 } })).toMatchObject({
    standing: "announced",
  });
});

test("saving, discarding and publishing one document does not change the other", async () => {
  const { token } = await seedAdministrator(api.deps);
  const draft = { changes: "More.", source: "## In short\n\nBe kind.", effectiveFrom: "2026-12-01", revision: 0 };
  const reason = "The council of members agreed";
  const save = (document: string, title: string) =>
    api.read(contract.saveLegalDraft, { token, params: { document }, body: { ...draft, title, reason } });
  const end = async (how: Parameters<typeof api.call>[0], document: string, revision: number) =>
    (await api.call(how, { token, params: { document }, body: { revision, reason } })).status;
  const look = (document: string) => api.read(contract.readLegalEditing, { token, params: { document } });

  await save("tos", "Terms");
  await save("pp", "Privacy");
  expect(await end(contract.discardLegalDraft, "pp", 1)).toBe(200);
  expect((await look("tos")).draft).toMatchObject({ title: "Terms", revision: 1 });
  await save("pp", "Privacy");
  expect(await end(contract.publishLegalDraft, "tos", 1)).toBe(200);
  // That draft was published; the discarded one was the other document's.
  expect(await end(contract.discardLegalDraft, "tos", 1)).toBe(409);
  const { draft: left, versions } = await look("pp");
  expect([left?.revision, versions.length]).toEqual([2, 2]);
  expect(await end(contract.publishLegalDraft, "pp", 2)).toBe(200);
  const texts = PAIRS.map(({ document }) => api.read(readLegalDocument, { query: { document, version: 3 } }));
  expect((await Promise.all(texts)).map(({ title }) => title)).toEqual(["Terms", "Privacy"]);
});

test("an unpublished version is not found, and an unknown document is rejected", async () => {
  const missing = await api.call(readLegalDocument, { query: { document: "tos", version: 99 } });
  expect(missing).toMatchObject({ status: 404, body: { error: "NOT_FOUND" } });
  const wrong: Record<string, string>[] = [{}, { document: "imprint" }, { document: "tos", version: "0" }];
  for (const query of wrong) {
    expect(await api.call(readLegalDocument, { query })).toMatchObject({
      status: 400,
      body: { error: "VALIDATION_ERROR" },
    });
  }
});

test.for(PAIRS.flatMap(({ status, accept }) => [status, accept]))(
  "refuses $method $path without a session",
  async (endpoint) => {
    expect(await api.call(endpoint)).toMatchObject({ status: 401, body: { error: "UNAUTHENTICATED" } });
  },
);

test("the text of a published version never changes", () => {
  const hashes = Object.values(DOCUMENTS)
    .flat()
    .map((text) => `${text.title} ${text.version} ${hashText(text).toString("hex")}`);
  expect(hashes).toEqual([
    "Terms of Service 1 737e998f75c0c8dcce38ead114faf7cba8bb2b306eb0f07fdd08cf7f3acf2187",
    "Terms of Service 2 288cd83cba9269cd1879c8e7dff7c9b4b820f13ab7f92638670cba142045c83e",
    "Privacy Policy 1 558556665da01a87e283eb5f7e2fb157b33706da596fd235123d5ca61fb6709c",
    "Privacy Policy 2 9b67f043ea8ff108c27b139e11c7f224d184f153eb73659a3a34c44ed86836e0",
  ]);
});

test.for(PAIRS)("the versions of $document are in order, and every section has a unique id", ({ document }) => {
  const versions = DOCUMENTS[document];
  const days = versions.map(({ effectiveFrom }) => effectiveFrom);
  expect(versions.map(({ version }) => version)).toEqual(versions.map((_, index) => index + 1));
  expect(days).toEqual(days.toSorted());
  for (const { sections, changes, version } of versions) {
    expect(new Set(sections.map(({ id }) => id)).size).toBe(sections.length);
    expect(sections.every(({ id }) => /^[a-z-]+$/.test(id))).toBe(true);
    expect(changes === null).toBe(version === 1);
  }
});
