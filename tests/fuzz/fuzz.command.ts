import { MEMBER_FIELD } from "../../app/session/member-field.ts";
import { DeviceResult } from "../../server/heartbeats/contract.ts";
import { encodePendingCookies } from "../e2e/pending-cookies.ts";
import type { SeededMember } from "../support/app-messages.ts";
import { seedPeople } from "../support/seeds/showcase.ts";
import { PAGE_ADDRESSES } from "../support/pages/shown-pages.ts";
import { startApp, type RunningApp } from "../support/servers/start-app.ts";
import { findForms } from "./forms.ts";
import { fuzz, type Send } from "./fuzz.ts";
import { apiInputs, formInput, pageInput, type ApiDocument, type Caller, type Form } from "./inputs.ts";
import { findErrors } from "./judge.ts";
import { readNumber, readOptions } from "../support/command-options.ts";

const USAGE = `Sends bad input to every call of the API, every form and every page of a server of its own (after a build).

  npm run fuzz                              100.000 inputs, of five seeds
  npm run fuzz -- --inputs 2000 --seeds 7   2.000 inputs of one seed: the same ones each time

Exits with an error if an answer is a 5xx, reveals internals or another member's data, or takes over 2 s twice.`;

const { values } = readOptions(USAGE, {
  options: {
    inputs: { type: "string", default: "100000" },
    seeds: { type: "string", default: "1,2,3,4,5" },
  },
});

const seeds = values.seeds.split(",").map((seed) => readNumber("--seeds", seed, 0));
const count = Math.ceil(readNumber("--inputs", values.inputs) / seeds.length);

/** The query parameters of pages. */
const QUERY_NAMES = [
  "page",
  "limit",
  "category",
  "startDate",
  "endDate",
  "range",
  "entry",
  "activity",
  "redirectTo",
  "token",
  "code",
  "referralCode",
  "q",
  "status",
  "after",
  "show",
  "state",
  "search",
  "about",
  "by",
  "action",
  "_routes",
];

/** Addresses that no form and no link of a page requests. */
const OTHER_ADDRESSES = [
  "/auth/signup.data",
  "/dashboard.data",
  "/points/export",
  "/read/points-history",
  "/read/points-log",
  "/read/referrals",
  "/read/uptime",
  "/share/ABCDE/preview.png",
  "/share/ABCDE/qr.svg",
  "/status.json",
];

/** A placeholder in forms for the sender's id: a form that names another member is not processed any further. */
const OWN_ID = "the-id-of-its-sender";
/** The user ids of sessions, by their cookies. */
const owners = new Map<string, string>();

/**
 * Cookies that every caller has: a sign-up, a reset and a recovery under way, so that the forms that continue them are
 * sent.
 */
const resend = { state: "INITIAL", timestamp: Date.now() - 120_000, duration: 60_000 };
const BEGUN = toHeader(
  await encodePendingCookies({
    nodebeat_signup: { signupToken: "nbu_unknown", email: "begun@nodebeat.test", resend },
    nodebeat_reset: { resetToken: "nbr_unknown", email: "begun@nodebeat.test", ...resend },
    nodebeat_recovery: { token: "nbc_unknown" },
  }),
);

async function main() {
  const app = await startApp({ settings: { LOG_LEVEL: "error" } });
  try {
    const inputs = await listInputs(app);
    for (const seed of seeds) await run(app, inputs, seed);
    reportLog(app.log());
  } finally {
    await app.close();
  }
}

type Inputs = Awaited<ReturnType<typeof listInputs>>;

async function run(app: RunningApp, inputs: Inputs, seed: number) {
  const other = await app.seed.member({ fullName: "Somebody Else" });
  const { findings, statuses } = await fuzz({
    inputs,
    count,
    seed,
    send: sendTo(app.url),
    callers: () => createCallers(app),
    secrets: [other.email, other.userId, other.token],
    onProgress: (sent) => process.stderr.write(`\rSeed ${seed}: ${sent} of ${count} sent`),
  });
  const counts = [...statuses].toSorted(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
  console.log(`\rSeed ${seed}: ${count} inputs, ${findings.length} problems (${counts.join(", ")})`);
  for (const { input, problems } of findings) console.log(`  ${problems.join("; ")}\n    ${JSON.stringify(input)}`);
  if (findings.length > 0) process.exitCode = 1;
}

function reportLog(log: string) {
  const errors = findErrors(log);
  if (errors.length === 0) return;
  console.log(`${errors.length} errors in the log, the first of which are\n${errors.slice(0, 5).join("\n")}`);
  process.exitCode = 1;
}

/** Returns everything that can be sent: calls, forms as shown to visitors, members and administrators, and pages. */
async function listInputs(app: RunningApp) {
  const document = (await (await fetch(`${app.url}/api/openapi.json`)).json()) as ApiDocument;
  const { "Full member": member } = await seedPeople(app);
  const administrator = await app.seed.member({ administrator: true });
  const people = [member, administrator].flatMap((each) => each ?? []);
  const cookies = ["", BEGUN, ...people.map(cookiesOf)];
  const details = [...people.map(({ userId }) => `/admin/members/${userId}`), "/admin/campaigns/follow"];
  const forms = new Map<string, Form>();
  for (const path of [...PAGE_ADDRESSES, ...details]) {
    for (const cookie of cookies) {
      const html = await (await fetch(app.url + path, { headers: { Cookie: cookie }, redirect: "manual" })).text();
      for (const form of findForms(html, path)) forms.set(describeForm(form), ownBySender(form));
    }
  }
  const pages = [...PAGE_ADDRESSES, ...OTHER_ADDRESSES];
  console.log(`${Object.keys(document.paths).length} addresses of the API, ${forms.size} forms, ${pages.length} pages`);
  return [
    ...apiInputs(document),
    ...[...forms.values()].map(formInput),
    ...pages.map((path) => pageInput(path, QUERY_NAMES)),
  ];
}

/** Names a form. Two forms of a page may differ only by their intent. */
function describeForm({ action, fields, method }: Form): string {
  return `${method} ${action} ${fields.map(([name, value]) => (name.endsWith("intent") ? value : name)).join()}`;
}

const ownBySender = ({ fields, ...form }: Form): Form => ({
  ...form,
  fields: fields.map(([name, value]) => [name, name === MEMBER_FIELD ? OWN_ID : value]),
});

const cookiesOf = ({ cookie }: SeededMember) => `${toHeader([cookie])}; ${BEGUN}`;

function toHeader(cookies: SeededMember["cookie"][]): string {
  return cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
}

async function createCallers(app: RunningApp): Promise<Record<Caller, Record<string, string>>> {
  const member = await app.seed.member({ heartbeats: 120, email: `${crypto.randomUUID()}@nodebeat.test` });
  const administrator = await app.seed.member({});
  await app.seed.administrator(administrator.userId);
  return {
    nobody: { Cookie: BEGUN },
    member: as(member),
    administrator: as(administrator),
    node: { Authorization: `Bearer ${await makeKey(app.url, member.token)}` },
    garbage: { Authorization: "Bearer nb_\u00FF.%00", Cookie: `${member.cookie.name}=garbage; theme=%; a` },
  };
}

function as(who: SeededMember) {
  owners.set(cookiesOf(who), who.userId);
  return { Authorization: `Bearer ${who.token}`, Cookie: cookiesOf(who) };
}

async function makeKey(url: string, token: string): Promise<string> {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ name: "Attic" });
  const answer = await fetch(`${url}/api/heartbeats/devices`, { method: "POST", headers, body });
  return DeviceResult.parse(await answer.json()).deviceKey;
}

function sendTo(url: string): Send {
  const { origin } = new URL(url);
  return async ({ body, method, path }, headers) => {
    const begun = performance.now();
    const { Cookie = "" } = headers;
    const sent = body?.replaceAll(OWN_ID, owners.get(Cookie) ?? "") ?? null;
    const given: RequestInit = { method, headers: { Origin: origin, ...headers }, body: sent, redirect: "manual" };
    const response = await fetch(url + path, { ...given, signal: AbortSignal.timeout(30_000) });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, milliseconds: performance.now() - begun };
  };
}

await main();
