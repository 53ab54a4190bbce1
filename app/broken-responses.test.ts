import { expect, test } from "vitest";
import type { Endpoint } from "../server/http/contract.ts";
import { readLegalDocument } from "../server/legal/contract.ts";
import { readMachineIdStatus, readSmartAccount } from "../server/machine-id/contract.ts";
import { readEmailChange } from "../server/email-change/contract.ts";
import { readUptime } from "../server/heartbeats/contract.ts";
import { readPointsHistory } from "../server/points/contract.ts";
import { readUser } from "../server/profile/contract.ts";
import { readSubmissions } from "../server/rewards/contract.ts";
import { readPage, readText, type Visitor } from "../tests/support/pages/test-pages.ts";
import { findSample } from "../tests/support/samples/sample-responses.ts";
import { SAMPLE_USER } from "../tests/support/samples/samples.ts";
import { breakResponse, SHAPE_NAMES, visitSamples, type Shape } from "./broken-responses.fixture.ts";
import { READS } from "./read-proxy/reads.ts";

type Case = {
  /** The query of the read. */
  query?: string;
  /** What replaces an answer that does not match. If absent, the raw data is used. */
  standIn?: unknown;
  /** The page that shows it. Undefined if only a script asks for it. */
  page?: string;
  /** The titles of the cards that are made from it. */
  cards?: string[];
  /** How many of them say that they cannot be drawn, by shape. */
  missing?: Partial<Record<Shape, number>>;
  /** How many more cards there are, by shape: without figures a member counts as new. */
  besides?: Partial<Record<Shape, number>>;
  /** The shapes in which it counts as missing in the backend. */
  elsewhere?: Shape[];
  /** What other calls answer, so that the page asks for this at all. */
  given?: [Endpoint, unknown][];
};

const SHELL = "/rewards";
const IDENTITY = ["Smart Account and Machine ID"];
const DONE = { success: true, message: "" };
const COMPLETE: Case["given"] = [
  [readSmartAccount, { ...DONE, smartAccount: "0x1", status: "completed", createdAt: null }],
  [readMachineIdStatus, { status: "completed" }],
];
/** For a list with an entry. Cards that have only figures are drawn, with a dash for each missing one. */
const LIST = { "{}": 1, "null for an array": 1, "wrong types": 1 };
const CASES: Record<string, Case> = {
  user: {
    page: "/profile",
    cards: ["About you", "Wallet"],
  },
  stats: {
    page: "/dashboard",
    cards: ["Your points at a glance", "Points by category"],
    missing: { "null for an array": 1, "wrong types": 1 },
    besides: { "{}": 1 },
  },
  whitelist: { page: SHELL },
  onboarded: { page: "/dashboard" },
  rules: { page: "/dashboard", standIn: null },
  terms: { page: SHELL, standIn: { istosAccepted: false } },
  privacy: { page: SHELL },
  "smart-account": {
    page: "/profile",
    cards: IDENTITY,
    missing: { "{}": 1, "null for an array": 1, "wrong types": 1 },
  },
  "machine-id-status": { page: "/profile", cards: IDENTITY },
  "machine-identity": { page: "/profile", cards: IDENTITY, missing: { "wrong types": 1 }, given: COMPLETE },
  "machine-timeline": { page: "/profile", cards: IDENTITY, missing: { ...LIST, "missing fields": 1 } },
  "smart-id-requirements": { page: "/profile", cards: IDENTITY },
  "points-history": {
    page: "/dashboard",
    query: "range=last7days",
    cards: ["Points, last 7 days"],
    missing: { "{}": 1, "null for an array": 1 },
  },
  "points-log": { page: "/dashboard", query: "page=1&limit=10", cards: ["Points log"], missing: LIST },
  "points-log-detail": {
    page: "/dashboard?entry=0192-entry",
    query: "id=0192-entry",
    cards: ["Points log"],
    missing: LIST,
  },
  "content-points": { page: "/dashboard", query: "page=1&limit=5", cards: ["Content points"], missing: LIST },
  "data-stats": { page: "/agentinsights", cards: ["What your node has gathered"] },
  "daily-jobs": {
    page: "/agentinsights?range=7",
    query: "days=7",
    cards: ["Your node, last 7 days"],
    missing: { "{}": 1, "null for an array": 1 },
  },
  "network-jobs": {
    page: "/agentinsights?range=7",
    query: "days=7",
    cards: ["The whole network, last 7 days"],
    missing: { "{}": 1, "null for an array": 1 },
  },
  uptime: {
    page: "/agentinsights",
    query: "range=last24hours",
    cards: ["Your node"],
    missing: { "null for an array": 1, "wrong types": 1 },
  },
  "refused-beats": { page: "/agentinsights", query: "limit=25", cards: ["Your node"], missing: LIST },
  submissions: {
    page: "/rewards",
    cards: ["Rewards", "Your rewards at a glance"],
    missing: { "{}": 2, "null for an array": 2, "wrong types": 1 },
  },
  // Without any field of ours it is another backend's own status, which is not shown.
  "heartbeat-status": { page: "/rewards", cards: ["Earn 100 heartbeats"], elsewhere: ["{}", "null for an array"] },
  referrals: {
    page: "/referrals",
    query: "page=1&limit=10",
    cards: ["Your friends", "Your referrals at a glance"],
    missing: { "{}": 2, "null for an array": 2, "wrong types": 1 },
  },
  sessions: { page: "/profile", cards: ["Where you are signed in"], missing: LIST },
  "security-activity": { page: "/profile", query: "page=1&limit=10", cards: ["Security activity"], missing: LIST },
  devices: { page: "/profile", cards: ["Your machines"], missing: LIST },
  "silence-mail": { page: "/profile", cards: ["Your machines"] },
  "campaign-mail": {
    page: "/profile",
    cards: ["Campaign emails"],
    missing: { "wrong types": 1 },
  },
  // Its card has its own words for when it cannot be read.
  "node-pass": { page: "/profile", cards: ["Node pass"] },
  "wallet-change-eligibility": { page: "/profile", cards: ["Wallet"] },
  "wallet-detect": { query: "address=0x1" },
};

test("every read of the application has a case", () => {
  expect(Object.keys(CASES).toSorted()).toEqual([...READS.keys()].toSorted());
});

const READ_IN_SHAPES = Object.keys(CASES).flatMap((read) => SHAPE_NAMES.map((shape) => ({ read, shape })));
const SHOWN_IN_SHAPES = READ_IN_SHAPES.filter(({ read }) => CASES[read]?.page);

/** Finds the call behind a read, and opens the pages with its answer in a shape. */
async function prepare(read: string, shape: Shape) {
  const { given = [], query = "", ...known } = CASES[read] ?? {};
  const address = `/read/${read}?${query}`;
  const { pages, visitor } = await visitSamples();
  await visitor.get(address);
  const call = pages.calls.at(-1) ?? "none";
  const sample = findSample(call);
  if (!sample) throw new Error(`There is no sample of ${call}, which is behind ${read}`);
  const { endpoint, response } = sample;
  const answer = breakResponse(shape, response);
  const site = await visitSamples([...given, [endpoint, answer]]);
  return { ...site, address, answer, endpoint, given, parsed: endpoint.response.safeParse(answer), ...known };
}

// specification: 5.24, 8.10
test.each(READ_IN_SHAPES)(
  "the read proxy answers $read despite $shape, and logs a mismatch",
  async ({ read, shape }) => {
    const { address, answer, countParsedErrors, elsewhere, parsed, standIn, visitor } = await prepare(read, shape);

    const response = await visitor.get(address);

    expect(response.status).toBe(200);
    // Null means that a backend has no such call.
    const used = elsewhere?.includes(shape) ? null : (answer ?? {});
    const raw = standIn === undefined ? used : standIn;
    expect(await response.json()).toEqual(parsed.success ? parsed.data : raw);
    expect(countParsedErrors()).toBe(parsed.success ? 0 : 1);
    // Additional fields are not a mismatch.
    expect(parsed.success || shape !== "an extra field").toBe(true);
  },
);

/** Returns the names of the cards between the header and the end of a page. */
const titlesOf = (html: string) =>
  Array.from(
    html
      .slice(html.indexOf("<main"), html.indexOf("</main>"))
      .matchAll(/<h2[^>]*>(.*?)<\/h2>|<section aria-label="([^"]+ at a glance|What your [^"]+)"/g),
    (match) => readText(match[1] ?? match[2] ?? ""),
  );

const wholePages = new Map<string, Promise<string[]>>();

/** Returns the cards of a page whose answers are all as they should be. */
function listCards(page: string, given: Case["given"]) {
  const known = wholePages.get(page) ?? visitSamples(given).then(({ visitor }) => readCards(visitor, page));
  wholePages.set(page, known);
  return known;
}

const readCards = async (visitor: Visitor, page: string) => titlesOf(await (await visitor.get(page)).text());

// specification: 5.24
test.each(SHOWN_IN_SHAPES)("a page still renders if $read returns $shape", async ({ read, shape }) => {
  const {
    cards = [],
    countParsedErrors,
    endpoint,
    given,
    pages,
    page = "",
    parsed,
    visitor,
    ...it
  } = await prepare(read, shape);
  const whole = await listCards(page, given);

  const response = await visitor.get(page);
  const html = await response.text();

  expect([response.status, response.headers.get("Location")]).toEqual([200, null]);
  // Everything else on the page is there, and something replaces what is not.
  const titles = titlesOf(html);
  expect(titles).toEqual(expect.arrayContaining(whole.filter((title) => !cards.includes(title))));
  expect(titles).toHaveLength(whole.length + (it.besides?.[shape] ?? 0));
  const sorry = readText(html).match(/Something went wrong while loading this part\. Try again/g) ?? [];
  expect(sorry).toHaveLength(it.missing?.[shape] ?? 0);
  const asked = pages.calls.filter((call) => findSample(call)?.endpoint === endpoint).length;
  expect(asked).toBeGreaterThan(0);
  expect(countParsedErrors()).toBe(parsed.success ? 0 : asked);
});

test("treats an empty name and an empty wallet as missing", async () => {
  const known = { ...SAMPLE_USER, full_name: "", username: "", wallet: "" };
  const { visitor } = await visitSamples([[readUser, known]]);
  const { html, text } = await readPage(visitor, "/rewards");
  expect(text).toContain("Not linked yet");
  expect(html).toContain(`title="${known.email}"`);
});

const HUGE = { date: "2026-11-20", connectivity: 1e308, referral: 1e308, rewards: 1e308, total: 1e308 };
const FROM = "2026-11-20T14:00:00.000Z";
const BEAT = { at: FROM, device: null };
const UPTIME = { from: FROM, slots: ["beat"], percent: 100, longestGap: null, lastBeat: BEAT };

test.each([
  ["/dashboard", readPointsHistory, { history: { average: 1e308, data: [HUGE, HUGE] } }],
  ["/agentinsights", readUptime, { ...UPTIME, slotSeconds: 0 }],
  ["/agentinsights", readUptime, { ...UPTIME, slotSeconds: -900 }],
] as const)("%s renders no NaN or Infinity for numbers out of range, %#", async (page, endpoint, answer) => {
  const { visitor } = await visitSamples([[endpoint, answer]]);
  const { status, html } = await readPage(visitor, page);
  expect(status).toBe(200);
  expect(html.replaceAll(/<script.*?<\/script>/gs, "")).not.toMatch(/NaN|Infinity|spans of ;|M-/);
});

test.each([
  ["/rewards", readSubmissions, [null], "Your rewards at a glance Could not be loaded"],
  ["/rewards", readSubmissions, [null], "Earn 100 heartbeats"],
  ["/profile/delete", readUser, {}, "Delete account"],
  ["/profile/delete", readUser, null, "Delete account"],
  ["/profile/email", readEmailChange, {}, "write to us"],
  ["/profile/email", readEmailChange, { isOffered: true, pending: { email: {}, resend: [] } }, "Change email"],
  ["/profile/email", readUser, {}, "Change email"],
  ["/terms", readLegalDocument, {}, "Terms of Service Could not be loaded"],
  ["/privacy", readLegalDocument, null, "Privacy Policy Could not be loaded"],
] as const)(
  "%s still renders with a malformed response and logs one parse error, %#",
  async (page, endpoint, answer, words) => {
    const { countParsedErrors, visitor } = await visitSamples([[endpoint, answer]]);
    const { status, text } = await readPage(visitor, page);
    expect(status).toBe(200);
    expect(text).toContain(words);
    expect(countParsedErrors()).toBe(1);
  },
);
