import { sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { BY_OPERATOR, readAudit } from "../../../tests/support/api/administration.ts";
import { createTestApi, seedMember } from "../../../tests/support/api/api.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";
import {
  createVisitor,
  describePages,
  findField,
  readPage,
  readText,
} from "../../../tests/support/pages/test-pages.ts";
import { announce } from "../../../server/announcements/announce.queries.ts";
import { webhookEndpoints, webhookMessages } from "../../../server/db/schema.ts";
import { inTransaction } from "../../../server/db/transaction.ts";
import { MAX_REPLAYED } from "../../../server/webhooks/contract.ts";
import { pauseWebhook } from "../../../server/webhooks/pause.ts";
import { FORM_ABOUT, FORM_INTENT } from "../form-fields.ts";

const database = await createTestDatabase();
const { db } = database;
const api = createTestApi(database, { env: { campaignWebhookSecrets: ["whsec_one", "whsec_two"] } });
beforeEach(() => database.reset());
afterAll(() => database.close());

const LIST = "/admin/webhooks";
const reason = "Our CRM";
const url = "https://hooks.example.com/<b>nodebeat</b>";
const SECRET = /whsec_[\w+/=]{32,}/;

const happen = (subject: string) =>
  inTransaction(db, (tx) =>
    announce(tx, { type: "member.verified", subject, at: api.deps.now(), data: { memberId: subject } }),
  );

describePages(database, api, ({ pages, visitAdministrator }) => {
  async function visit() {
    const { visitor, send: post } = await visitAdministrator("ada@example.com", reason);
    async function send(path: string, intent: string, fields: Record<string, string> = {}) {
      const answer = await post(path, intent, fields);
      const html = await answer.text();
      return { status: answer.status, leadsTo: answer.headers.get("Location"), html, text: readText(html) };
    }
    const key = async () => findField((await readPage(visitor, LIST)).html, "key")?.value ?? "";
    /** Adds a webhook. Returns the response, and the path of its page. */
    async function add() {
      const added = await send(LIST, "add-webhook", { url, events: "member.verified", key: await key() });
      const { html } = await readPage(visitor, LIST);
      const [path = ""] = /\/admin\/webhooks\/[-0-9a-f]{36}/.exec(html) ?? [];
      return { ...added, path };
    }
    return { visitor, send, key, add };
  }

  test("adds a webhook once, and shows its secret only in that response", async () => {
    const { visitor, send, key } = await visit();
    expect((await readPage(visitor, LIST)).text).toContain("No webhook yet");
    const fields = { url, events: "member.verified", key: await key() };
    const nothing = await send(LIST, "add-webhook", { url, key: fields.key });
    expect(nothing).toMatchObject({ status: 400, text: expect.stringContaining("Choose at least one event.") });
    expect(findField(nothing.html, "url")).toMatchObject({ value: expect.stringContaining("hooks.example.com") });
    const inside = await send(LIST, "add-webhook", { ...fields, url: "https://10.0.0.1/" });
    expect(inside).toMatchObject({ status: 400, text: expect.stringContaining("This address is not public") });
    // What was chosen is still chosen.
    expect(inside.html).toMatch(/<input[^>]*checked=""[^>]*value="member\.verified"/);

    const added = await send(LIST, "add-webhook", fields);
    expect(added.status).toBe(200);
    expect(added.text).toMatch(SECRET);
    expect(added.text).toContain("Messages are counted over the last 30 days.");
    expect(added.html).toMatch(/<div[^>]* autofocus=""[^>]*><p[^>]*>You cannot see it again/i);
    expect(added.html).not.toContain("<b>nodebeat");
    // The same form again, as a browser sends it when the page is reloaded.
    const again = await send(LIST, "add-webhook", fields);
    expect(again).toMatchObject({ status: 409, text: expect.stringContaining("This webhook was already added") });
    expect(again.text).not.toMatch(SECRET);
    expect((await readPage(visitor, LIST)).text).not.toMatch(SECRET);
    expect(await db.$count(webhookEndpoints)).toBe(1);
  });

  test("keeps all chosen events in the form after signing in again", async () => {
    const { visitor } = await visit();
    const member = findField((await readPage(visitor, LIST)).html, "member")?.value ?? "";
    const session = visitor.cookies.get("nodebeat_session") ?? "";
    visitor.cookies.clear();
    const body = new URLSearchParams({ [FORM_INTENT]: "add-webhook", member, reason, url });
    for (const type of ["member.verified", "machine_id.created"]) body.append("events", type);
    await visitor.send(LIST, { method: "POST", body });
    visitor.cookies.set("nodebeat_session", session);
    const { html } = await readPage(visitor, LIST);
    const ticked = (html.match(/<input[^>]*name="events"[^>]*>/g) ?? []).filter((box) => box.includes("checked"));
    expect(ticked.map((box) => /value="([^"]*)"/.exec(box)?.[1])).toEqual(["member.verified", "machine_id.created"]);
  });

  test("rotates the secret once per page shown, and says how long the previous one is valid", async () => {
    const { visitor, send, add } = await visit();
    const { path, text } = await add();
    const fields = { previousUntil: findField((await readPage(visitor, path)).html, "previousUntil")?.value ?? "none" };
    const rotated = await send(path, "rotate-webhook", fields);
    expect(rotated.status).toBe(200);
    expect(SECRET.exec(rotated.text)?.[0]).not.toBe(SECRET.exec(text)?.[0]);
    expect(rotated.text).toMatch(
      /Copy the secret now.*Previous secret valid until ?\d.*Previous secret valid until ?\d/,
    );
    expect((await readPage(visitor, path)).text).toContain("It stops working at once, the one before it in one day.");
    expect(await send(path, "rotate-webhook", fields)).toMatchObject({
      status: 409,
      text: expect.stringContaining("The secret has been changed in the meantime"),
    });
    const now = { previousUntil: findField((await readPage(visitor, path)).html, "previousUntil")?.value ?? "none" };
    expect(await send(path, "rotate-webhook", now)).toMatchObject({ status: 200 });
  });

  test("lists messages by state, and resends one of them or all in a time span", async () => {
    const { visitor, send, add } = await visit();
    await happen("before");
    const { path } = await add();
    await happen("ada");
    const page = await readPage(visitor, path);
    expect(page.text).toContain("0 delivered, 1 waiting, 0 given up");
    expect((await readPage(visitor, `${path}?state=given-up`)).text).toContain("No message has this state.");
    expect((await readPage(visitor, `${path}?state=lost`)).status).toBe(404);

    const event = findField(page.html, "event")?.value ?? "";
    expect(await send(path, "resend-event", { [FORM_ABOUT]: event, event })).toMatchObject({ leadsTo: path });
    expect((await readPage(visitor, path)).text).toContain("1 message is waiting to be sent again.");
    const span = { since: "2026-01-01T00:00", until: "", which: "undelivered" };
    expect(await send(path, "replay-events", { ...span, since: "" })).toMatchObject({
      status: 400,
      text: expect.stringContaining("Choose a start."),
    });
    expect(await send(path, "replay-events", span)).toMatchObject({ leadsTo: path });
    expect((await readPage(visitor, path)).text).toContain("2 messages are waiting to be sent again.");
    expect((await readPage(visitor, path)).text).toContain("0 delivered, 2 waiting, 0 given up");
  });

  test("says where to continue if there are more messages than one replay sends", async () => {
    const { visitor, send, add } = await visit();
    const { path } = await add();
    await db.execute(sql`
      insert into webhook_events (id, type, subject, at, data)
      select gen_random_uuid(), 'member.verified', n::text, '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 second', '{}'
      from generate_series(0, ${MAX_REPLAYED}) as n`);
    const span = { since: "2026-01-01T00:00", until: "", which: "undelivered" };
    expect(await send(path, "replay-events", span)).toMatchObject({ leadsTo: path });
    expect((await readPage(visitor, path)).text).toContain("There are more: send again from 2026-01-01 01:23:20 UTC.");
  });

  test("pauses and resumes a webhook, and shows since when, by whom and how many messages wait", async () => {
    const { visitor, send, add } = await visit();
    const { path } = await add();
    expect((await readPage(visitor, LIST)).text).toContain("Active");
    expect(await send(path, "pause-webhook", { reason: " " })).toMatchObject({
      status: 400,
      text: expect.stringContaining("Enter a reason."),
    });
    expect((await readPage(visitor, path)).html).not.toContain("resume-webhook");

    expect(await send(path, "pause-webhook")).toMatchObject({ status: 303, leadsTo: path });
    const paused = await readPage(visitor, path);
    expect(paused.text).toContain("Paused: messages wait until you resume the webhook.");
    expect(paused.text).toMatch(/Paused since ?\d+ \w+ \d+, \d\d:\d\d UTC ?Paused by ?ada@example\.com/);
    expect(paused.text).toContain("No messages are waiting.");
    expect(paused.html).not.toContain("pause-webhook");
    await happen("ada");
    expect((await readPage(visitor, path)).text).toContain("1 message is waiting. We send the oldest first");
    expect((await readPage(visitor, LIST)).text).toMatch(
      /Paused ?\d+ \w+ \d+, \d\d:\d\d UTC ?by ada@example\.com ?0 ?1 ?0/,
    );
    // As from a page that was open when somebody else paused the webhook.
    expect(await send(path, "pause-webhook")).toMatchObject({ leadsTo: path });
    expect((await readPage(visitor, path)).text).toContain("The webhook was already paused.");

    expect(await send(path, "resume-webhook")).toMatchObject({ leadsTo: path });
    const resumed = await readPage(visitor, path);
    expect(resumed.text).toContain("Resumed: 1 waiting message is being sent.");
    expect(resumed.text).not.toContain("Paused since");
    expect(await send(path, "resume-webhook")).toMatchObject({ leadsTo: path });
    expect((await readPage(visitor, path)).text).toContain("The webhook was already active.");
    expect((await readAudit(db)).slice(1).map((entry) => [entry.action, entry.reason])).toEqual([
      ["webhook.paused", reason],
      ["webhook.resumed", reason],
    ]);
  });

  test("says that the operator paused a webhook", async () => {
    const { visitor, add } = await visit();
    const { path } = await add();
    await pauseWebhook(api.deps, BY_OPERATOR, { id: path.slice(LIST.length + 1) });
    expect((await readPage(visitor, LIST)).text).toContain("by the operator");
    // Ids may be written in uppercase.
    const typed = `${LIST}/${path.slice(LIST.length + 1).toUpperCase()}`;
    for (const address of [path, typed])
      expect((await readPage(visitor, address)).text).toMatch(/Paused by ?the operator/);
  });

  test("removes a webhook only if the box is ticked, and records it in the audit log", async () => {
    const { visitor, send, add } = await visit();
    const { path } = await add();
    expect(await send(path, "remove-webhook")).toMatchObject({
      status: 400,
      text: expect.stringContaining("Tick the box to continue."),
    });
    expect(await send(path, "remove-webhook", { confirmed: "on" })).toMatchObject({ leadsTo: LIST });
    const { text } = await readPage(visitor, LIST);
    expect(text).toContain("Removed: nothing more is sent to this address.");
    expect(text).toContain("No webhook yet");
    expect((await readPage(visitor, path)).status).toBe(404);
    expect((await readAudit(db)).map((entry) => [entry.action, entry.reason])).toEqual([
      ["webhook.added", reason],
      ["webhook.removed", reason],
    ]);
  });

  test("lists incoming messages and how they are signed, for administrators only", async () => {
    const { visitor } = await visit();
    await db.insert(webhookMessages).values({ id: "msg_<i>1", receivedAt: new Date("2026-11-20T12:00:00Z") });
    const { html, text } = await readPage(visitor, LIST);
    expect(text).toContain("signed with either of the secrets in CAMPAIGN_WEBHOOK_SECRET");
    expect(text).toContain("20 Nov 2026, 12:00 UTC");
    expect(html).toContain("msg_&lt;i&gt;1");
    expect(html).not.toContain("whsec_");

    const { user, token } = await seedMember(api.deps);
    const member = createVisitor(pages);
    await member.begin({ accessToken: token, userId: user.id });
    for (const path of [LIST, `${LIST}/${crypto.randomUUID()}`])
      expect(await readPage(member, path)).toMatchObject({ status: 403 });
  });
});
