import { afterAll, expect, test } from "vitest";
import { createTestApi, createTestClock, NO_CLIENT, seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { eraseAtOnce } from "../../tests/support/api/jobs.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { describePages, findField, readPage, readText } from "../../tests/support/pages/test-pages.ts";
import { requestDeletion } from "../../server/account-data/contract.ts";
import { blockMember } from "../../server/member-administration/contract.ts";
import { inTransaction } from "../../server/db/transaction.ts";
import { enqueue } from "../../server/jobs/queries.ts";
import { readStats } from "../../server/points/contract.ts";
import { releaseHeldReferral } from "../../server/referrals/contract.ts";
import { recordReferral } from "../../server/referrals/service.ts";
import { startSession } from "../../server/sessions/service.ts";
import { openIncident, resolveIncident } from "../../server/status/contract.ts";
import { addWebhook } from "../../server/webhooks/contract.ts";
import { FORM_ABOUT } from "./form-fields.ts";

const database = await createTestDatabase();
const clock = createTestClock();
const api = createTestApi(database, { now: clock.now });
afterAll(() => database.close());

const DAY = 24 * 60 * 60 * 1000;
const reason = "A reason that took a while";
const NOT_HERE = "This form is no longer here";

/** Forms that the page no longer shows once they are sent, because their subject has changed in the meantime. */
describePages(database, api, ({ visitAdministrator }) => {
  const visit = (email = "admin@example.com") => visitAdministrator(email, reason);

  test("returns an update to an incident that was resolved in the meantime, and says why", async () => {
    const { send, token } = await visit();
    const incident = { title: "Points are late", text: "We are looking", reason };
    const { id } = await api.read(openIncident, { token, body: incident });
    await api.read(resolveIncident, { token, params: { id }, body: { text: "It is over", reason } });
    const update = {
      [FORM_ABOUT]: id,
      id,
      key: crypto.randomUUID(),
      impact: "down",
      text: "A long text\nthat took ten minutes",
    };
    const late = await send("/admin/incidents", "update-incident", update);
    const html = await late.text();
    const text = readText(html);
    expect(late.status).toBe(409);
    // The focus goes there, so a screen reader starts with it.
    expect(html).toMatch(/<div[^>]* autofocus=""[^>]*>(?:<(?!\/?main)[^>]*>)*That incident is already resolved/i);
    for (const said of ["That incident is already resolved. Report a new one.", "that took ten minutes", reason]) {
      expect(text).toContain(said);
    }
    const unexplained = await send("/admin/incidents", "resolve-incident", { ...update, reason: " " });
    const again = readText(await unexplained.text());
    expect([unexplained.status, again]).toEqual([400, expect.stringContaining(NOT_HERE)]);
    expect(again).toContain("that took ten minutes");
  });

  test("refuses to publish or discard a draft that was published in the meantime", async () => {
    const { visitor, send } = await visit();
    const { html } = await readPage(visitor, "/admin/legal/tos");
    const effectiveFrom = findField(html, "effectiveFrom")?.value ?? "";
    const draft = { title: "Terms", changes: "All of it", source: "## First {#first}\n\nText", revision: "0" };
    await send("/admin/legal/tos", "save-draft", { ...draft, effectiveFrom });
    const seen = { revision: "1", confirmed: "on" };
    const another = await visit("another@example.com");
    expect((await another.send("/admin/legal/tos", "publish-draft", seen)).status).toBe(303);
    for (const intent of ["publish-draft", "discard-draft"]) {
      const late = await send("/admin/legal/tos", intent, seen);
      const text = readText(await late.text());
      expect([late.status, text]).toEqual([
        409,
        expect.stringContaining("Somebody has changed the draft in the meantime."),
      ]);
      expect(text).toContain(reason);
    }
    expect((await readPage(visitor, "/admin/legal")).text).toMatch(
      / Terms Version 2, from 2 Nov 2026 Version 3, from \d+ \w+ \d{4} None Privacy Policy /,
    );
  });

  test("does not publish a draft whose effective date has come, and says why", async () => {
    const { visitor, send, user } = await visit("late@example.com");
    const { html } = await readPage(visitor, "/admin/legal/pp");
    const effectiveFrom = findField(html, "effectiveFrom")?.value ?? "";
    const draft = { title: "Privacy", changes: "All of it", source: "## First {#first}\n\nText", revision: "0" };
    await send("/admin/legal/pp", "save-draft", { ...draft, effectiveFrom });
    clock.advance(DAY);
    const { token } = await startSession(api.deps, { userId: user.id, client: NO_CLIENT, byPassword: true });
    await visitor.begin({ accessToken: token, userId: user.id });
    const late = await send("/admin/legal/pp", "publish-draft", { revision: "1", confirmed: "on" });
    expect([late.status, readText(await late.text())]).toEqual([
      400,
      expect.stringContaining("(UTC): after today and after the previous version."),
    ]);
    expect((await send("/admin/legal/pp", "discard-draft", { revision: "1", confirmed: "on" })).status).toBe(303);
    const { text } = await readPage(visitor, "/admin/legal/pp");
    expect(text).toContain("The draft is discarded.");
    expect(text).toContain("Write a new version");
  });

  test("says so if the session has already ended or the member is already blocked", async () => {
    const { send, token, visitor } = await visit();
    const { user } = await seedMember(api.deps);
    const path = `/admin/members/${user.id}`;
    const session = findField((await readPage(visitor, path)).html, "session")?.value ?? "";
    const end = { [FORM_ABOUT]: session, session };
    expect((await send(path, "end-session", end)).status).toBe(303);
    const late = await send(path, "end-session", end);
    expect([late.status, readText(await late.text())]).toEqual([404, expect.stringContaining("no such session")]);

    await api.read(blockMember, { token, params: { id: user.id }, body: { reason } });
    const block = await send(path, "block", { reason: "" });
    expect([block.status, readText(await block.text())]).toEqual([400, expect.stringContaining(NOT_HERE)]);
  });

  test("a held invitation decided in the meantime is not found, with the typed reason and a way back", async () => {
    const { send, token } = await visit();
    const [inviter, friend] = [
      await seedMember(api.deps, { email: "cleo@example.com" }),
      await seedMember(api.deps, { email: "cleo+2@example.com" }),
    ];
    const held = { inviterId: inviter.user.id, inviteeId: friend.user.id, at: api.deps.now() };
    const id = (await inTransaction(api.deps.db, (tx) => recordReferral(tx, held))) ?? "";
    await api.read(releaseHeldReferral, { token, params: { id }, body: { reason } });
    const late = await send(`/admin/referrals/${id}`, "refuse-referral", { confirmed: "on" });
    const html = await late.text();
    expect([late.status, html]).toEqual([404, expect.stringContaining(`href="/admin/referrals"`)]);
    for (const said of [
      "No held invitation has this id.",
      reason,
      "This page does not exist",
      "Go to Held invitations",
    ]) {
      expect(readText(html)).toContain(said);
    }
  });

  test("refuses a held invitation only if the box is ticked, and pays nobody", async () => {
    const { send, visitor } = await visit();
    const inviter = await seedMember(api.deps, { email: "cleo@example.com" });
    const friend = await seedMember(api.deps, { email: "cleo+2@example.com" });
    const held = { inviterId: inviter.user.id, inviteeId: friend.user.id, at: api.deps.now() };
    const id = (await inTransaction(api.deps.db, (tx) => recordReferral(tx, held))) ?? "";
    expect((await send(`/admin/referrals/${id}`, "refuse-referral")).status).toBe(400);
    expect((await send(`/admin/referrals/${id}`, "refuse-referral", { confirmed: "on" })).status).toBe(303);
    const { text } = await readPage(visitor, "/admin/referrals");
    expect(text).toContain("Refused: nobody is paid.");
    expect(text).toContain("Nothing is held");
    expect((await api.read(readStats, { token: friend.token })).points_total).toBe(0);
  });

  test("a pause without a reason says that its form is gone if the webhook is already paused", async () => {
    const { send, token } = await visit();
    const hook = { url: "https://hooks.example/", events: ["member.verified"] };
    const { id } = await api.read(addWebhook, { token, body: { ...hook, reason } });
    const path = `/admin/webhooks/${id}`;
    expect((await send(path, "pause-webhook")).status).toBe(303);
    const late = await send(path, "pause-webhook", { reason: "" });
    expect([late.status, readText(await late.text())]).toEqual([400, expect.stringContaining(NOT_HERE)]);
  });

  test("does not remove an email that is queued again, and says why", async () => {
    const { send } = await visit();
    const email = { kind: "mail", key: "m1", payload: Buffer.from("sealed"), dueAt: api.deps.now() };
    await inTransaction(api.deps.db, (tx) => enqueue(tx, email));
    const late = await send("/admin/mail?show=all", "remove-letter", {
      [FORM_ABOUT]: "mail-m1",
      key: "m1",
      confirmed: "on",
    });
    const text = readText(await late.text());
    expect([late.status, text]).toEqual([409, expect.stringContaining("This email may still be sent.")]);
    expect(text).toContain(`What you wrote ${reason}`);
    const all = await send("/admin/mail", "retry-letters", { reason: " " });
    expect([all.status, readText(await all.text())]).toEqual([400, expect.stringContaining(NOT_HERE)]);
  });

  test("removing an administrator who no longer exists says that there is no such member", async () => {
    const { send } = await visit();
    const gone = crypto.randomUUID();
    const late = await send("/admin/administrators", "remove-administrator", { [FORM_ABOUT]: gone, who: gone });
    expect([late.status, readText(await late.text())]).toEqual([
      404,
      expect.stringContaining("No member has this address or id."),
    ]);
  });

  test("links an inviter who deleted their account to the audit log instead of a member page", async () => {
    const { visitor } = await visit();
    const { user: inviter } = await seedMember(api.deps);
    const { user: friend } = await seedMember(api.deps, { referralCode: inviter.personal_code ?? "" });
    await eraseAtOnce(api.deps, inviter.id);
    const { html } = await readPage(visitor, `/admin/members/${friend.id}`);
    expect(html).toContain(`href="/admin/audit?about=${inviter.id}"`);
    expect(html).not.toContain(`href="/admin/members/${inviter.id}"`);
  });

  test("says that a blocked member with a pending deletion cannot keep the account", async () => {
    const { send, token, visitor } = await visit();
    const { user, token: theirs } = await seedMember(api.deps);
    await api.read(requestDeletion, { token: theirs, body: { password: TEST_PASSWORD, understood: true } });
    const read = async () => (await readPage(visitor, `/admin/members/${user.id}`)).text;
    expect(await read()).toContain("Their account is still deleted, unless you unblock them first and they keep it.");
    await api.read(blockMember, { token, params: { id: user.id }, body: { reason } });
    expect(await read()).toContain("Only the member can keep the account, and not while they are blocked.");
    expect((await send(`/admin/members/${user.id}`, "unblock")).status).toBe(303);
    expect(await read()).toMatch(/The member can sign in again\. .*Block the member/);
  });
});
