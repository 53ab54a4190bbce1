import { afterAll, expect, test } from "vitest";
import { BY_OPERATOR } from "../../tests/support/api/administration.ts";
import { createTestApi, createTestClock, fillForm, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { html } from "../../tests/support/servers/app-under-test.ts";
import { runDue } from "../../tests/support/api/jobs.ts";
import { tokenOf } from "../../tests/support/api/mailbox.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { compose } from "../boot/compose.ts";
import { createDelivery } from "../mail/deliver.ts";
import type { RenderedEmail } from "../mail/email.ts";
import { createWebhookDelivery } from "../webhooks/deliver.ts";
import { addWebhook } from "../webhooks/endpoints.ts";
import { openOutgoing } from "../webhooks/outgoing.ts";
import { createLog } from "./log.ts";

const database = await createTestDatabase();
afterAll(() => database.close());

type Line = { msg: string; requestId?: string };
type CreatePages = Parameters<typeof compose>[0]["createPages"];

const noPages: CreatePages = () => async () => html("<h1>Page</h1>");

/** Starts a whole server and reads its log lines. */
function open(createPages = noPages) {
  const lines: string[] = [];
  const clock = createTestClock();
  const log = createLog({ level: "debug", destination: { write: (line) => void lines.push(line) } });
  const outgoing = openOutgoing(["a secret of the tests, long enough for a key"], { toPrivate: true });
  const api = createTestApi(database, { log, now: clock.now, outgoing });
  const { deps } = api;
  const stopping = new AbortController().signal;
  const app = compose({ deps, database, createPages, staticFiles: new Map(), isLeaving: () => false, stopping });
  return { api, app, clock, deps, lines, told: () => lines.map((line): Line => JSON.parse(line)) };
}

test("log lines of a page, its calls and its services share the page's request id", async () => {
  const { app, deps, lines, told } = open(({ openEmbedded }) => async (_, scope) => {
    scope.log.info("of the page");
    deps.log.info("of a service");
    await openEmbedded(scope.clientAddress).fetch(new Request("http://embedded.invalid/api/user"));
    return html("<h1>Page</h1>");
  });
  const response = await app.request("/dashboard");
  deps.log.info("of nobody");

  expect(told().map(({ msg }) => msg)).toEqual(["of the page", "of a service", "refused", "request", "of nobody"]);
  const id = response.headers.get("X-Request-Id");
  expect(told().map(({ requestId }) => requestId)).toEqual([id, id, id, id, undefined]);
  for (const line of lines) expect(line.match(/requestId/g)?.length ?? 0).toBeLessThan(2);
});

test("a worker logs a mail or a webhook with the id of its request, which no client can choose", async () => {
  const { api, app, clock, deps, told } = open();
  async function post(path: string, body: object) {
    const headers = { "Content-Type": "application/json", "X-Request-Id": "made-up-by-a-stranger" };
    const response = await app.request(path, { method: "POST", headers, body: JSON.stringify(body) });
    expect(response.status).toBe(200);
    return response.headers.get("X-Request-Id");
  }
  const mails: RenderedEmail[] = [];
  async function fail(mail: RenderedEmail) {
    mails.push(mail);
    throw new Error("451 later");
  }
  const delivery = createDelivery(deps, { transport: { send: fail }, origin: "http://nodebeat.test" });
  const work = () => runDue(deps, { ...delivery, ...createWebhookDelivery(deps) });
  // Nothing listens at this address.
  await addWebhook(deps, BY_OPERATOR, { url: "https://127.0.0.1:1/", events: ["member.verified"] });
  const turnstileToken = await fillForm(api, clock);

  const email = "ada@nodebeat.test";
  const signUp = await post("/api/auth/signup", { email, password: TEST_PASSWORD, turnstileToken });
  await work();
  const verify = await post("/api/auth/verify", { token: tokenOf(mails[0] ?? {}) });
  await work();

  const idsOf = (msg: string) => told().flatMap((line) => (line.msg === msg ? [line.requestId] : []));
  expect(idsOf("a job failed: it is tried again")).toEqual([signUp]);
  expect(idsOf("a webhook message could not be sent: it is tried again")).toEqual([verify]);
  expect([signUp, verify]).not.toContain("made-up-by-a-stranger");
});
