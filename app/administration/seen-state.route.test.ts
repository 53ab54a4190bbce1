import { expect, test } from "vitest";
import { CAMPAIGN_FIELDS, seedAdministrator } from "../../tests/support/api/administration.ts";
import { NO_CLIENT, seedMember } from "../../tests/support/api/api.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { describePages, findField, listFields, readPage, readText } from "../../tests/support/pages/test-pages.ts";
import { makeAdjustment } from "../../server/adjustments/contract.ts";
import { changeAddress, readMember } from "../../server/member-administration/contract.ts";
import { readStats } from "../../server/points/contract.ts";
import { addWebhook, rotateWebhook } from "../../server/webhooks/contract.ts";
import { logout } from "../../server/sessions/contract.ts";
import { startSession } from "../../server/sessions/service.ts";
import { FORM_ABOUT, FORM_INTENT, PASSWORD } from "./form-fields.ts";

// The clock stands still. Otherwise a draft's date would be too early once midnight passes.
const { api, database } = await openTestApi();

/** Returns the hidden fields of the whitelist form, as a member's page shows them. */
const readChoice = (html: string) =>
  Object.fromEntries(["email", "listed"].map((name) => [name, findField(html, name)?.value ?? ""]));

describePages(database, api, ({ pages, visitAdministrator }) => {
  const campaign = { ...CAMPAIGN_FIELDS, startsAt: "2026-01-01T00:00" };

  test("a form shown before somebody else ended the campaign does not reopen it", async () => {
    const { visitor, send } = await visitAdministrator("ada@example.com");
    const ben = await visitAdministrator("ben@example.com");
    await send("/admin/campaigns", "make-campaign", campaign);
    const readSeen = async () =>
      findField((await readPage(visitor, "/admin/campaigns/survey")).html, "seen")?.value ?? "";
    const { id: _, ...change } = campaign;
    const typed = { ...change, name: "A name that was typed", seen: await readSeen() };
    await ben.send("/admin/campaigns/survey", "end-campaign", { confirmed: "on" });

    const refused = await send("/admin/campaigns/survey", "change-campaign", typed);
    const html = await refused.text();
    expect([refused.status, readText(html)]).toEqual([
      409,
      expect.stringContaining("Somebody has changed the campaign in the meantime."),
    ]);
    expect(findField(html, "name")?.value).toBe("A name that was typed");
    expect((await readPage(visitor, "/admin/campaigns")).text).toContain("Ended");
    const again = await send("/admin/campaigns/survey", "change-campaign", { ...typed, seen: await readSeen() });
    expect(again.status).toBe(303);
  });

  test("an invalid form shown before the campaign ended does not reopen it when corrected", async () => {
    const { visitor, send } = await visitAdministrator("ada@example.com");
    const ben = await visitAdministrator("ben@example.com");
    await send("/admin/campaigns", "make-campaign", campaign);
    const seen = findField((await readPage(visitor, "/admin/campaigns/survey")).html, "seen")?.value ?? "";
    await ben.send("/admin/campaigns/survey", "end-campaign", { confirmed: "on" });

    const { id: _, ...change } = campaign;
    const mistaken = { ...change, formUrl: "http://forms.example", seen };
    const refused = await send("/admin/campaigns/survey", "change-campaign", mistaken);
    expect(refused.status).toBe(400);
    const still = findField(await refused.text(), "seen")?.value ?? "";
    const corrected = await send("/admin/campaigns/survey", "change-campaign", { ...change, seen: still });
    expect(corrected.status).toBe(409);
    expect((await readPage(visitor, "/admin/campaigns")).text).toContain("Ended");
    // The page has now said that there is something to compare.
    const known = findField(await corrected.text(), "seen")?.value ?? "";
    expect((await send("/admin/campaigns/survey", "change-campaign", { ...change, seen: known })).status).toBe(303);
  });

  test("a draft restored after signing in again does not overwrite one saved in the meantime", async () => {
    const { visitor, send, user, token } = await visitAdministrator("ada@example.com");
    const ben = await visitAdministrator("ben@example.com");
    const { html } = await readPage(visitor, "/admin/legal/tos");
    const effectiveFrom = findField(html, "effectiveFrom")?.value ?? "";
    const draft = { title: "Terms", changes: "Ben's", source: "## First {#first}\n\nText", effectiveFrom };
    await ben.send("/admin/legal/tos", "save-draft", { ...draft, revision: "0" });
    await api.call(logout, { token });
    const typed = { ...draft, changes: "Ada's", revision: "0" };
    expect((await send("/admin/legal/tos", "save-draft", typed)).status).toBe(302);
    const { token: next } = await startSession(api.deps, { userId: user.id, client: NO_CLIENT, byPassword: true });
    await visitor.begin({ accessToken: next, userId: user.id });
    const back = (await readPage(visitor, "/admin/legal/tos")).html;
    expect(back).toContain("Ada&#x27;s");
    const revision = findField(back, "revision")?.value ?? "";
    expect((await send("/admin/legal/tos", "save-draft", { ...typed, revision })).status).toBe(409);
  });

  test("shows a form that is too long to keep when the session ends, to send it again after signing in", async () => {
    const { visitor, send, user, token } = await visitAdministrator("ada@example.com");
    const path = "/admin/legal/tos";
    const effectiveFrom = findField((await readPage(visitor, path)).html, "effectiveFrom")?.value ?? "";
    const source = `## First {#first}\n\n${Array(300).fill("A long paragraph.").join(" ")}\n\nThe end`;
    await api.call(logout, { token });
    const draft = { title: "Terms", changes: "All of it", source, effectiveFrom, revision: "0" };
    const sent = await send(path, "save-draft", draft);
    const html = await sent.text();
    expect([sent.status, readText(html)]).toEqual([
      403,
      expect.stringContaining("Nothing is done yet. What you typed is too long to keep while you sign in"),
    ]);
    expect(html).toContain('href="/auth?redirectTo=%2Fadmin%2Flegal%2Ftos" target="_blank"');
    // Nothing on the page leads away from it: what was typed is nowhere else.
    expect(html.match(/<a [^>]*href="(?!#)[^"]*"[^>]*>/g)).toEqual([expect.stringContaining(' target="_blank"')]);
    const forms = Array.from(html.matchAll(/<form [^>]*action="([^"]*)"/g), ([, action]) => action);
    expect(forms).toEqual(["/shell/continue", "/admin/legal/tos"]);
    expect([visitor.cookies.has("nodebeat_session"), visitor.cookies.has("nodebeat_draft")]).toEqual([false, false]);

    const again = Object.fromEntries(listFields(html).map(({ name = "", value = "" }) => [name, value]));
    // Before signing in, and as somebody else.
    expect((await visitor.post(path, again)).status).toBe(403);
    const ben = await visitAdministrator("ben@example.com");
    expect((await ben.visitor.post(path, again)).status).toBe(302);
    const { token: next } = await startSession(api.deps, { userId: user.id, client: NO_CLIENT, byPassword: true });
    await visitor.begin({ accessToken: next, userId: user.id });
    expect((await visitor.post(path, again)).status).toBe(303);
    expect((await readPage(visitor, path)).text).toMatch(/The draft is saved\..* A long paragraph\. The end/);
  });

  test("leads to sign-in when the session ends and nothing was typed, or nobody says who typed it", async () => {
    const { visitor, user, token } = await visitAdministrator("ada@example.com");
    await api.call(logout, { token });
    const long = "A long paragraph. ".repeat(300);
    const forms: Record<string, string>[] = [
      { member: user.id, [PASSWORD]: "a pass phrase" },
      { [FORM_INTENT]: "save-draft", source: long },
    ];
    for (const fields of forms) {
      const sent = await visitor.post("/admin/legal/tos", fields);
      expect([sent.status, sent.headers.get("Location")]).toEqual([302, "/auth?redirectTo=%2Fadmin%2Flegal%2Ftos"]);
    }
  });

  test("keeps a form sent after sign-out in another tab for its sender only", async () => {
    const { visitor, send, user } = await visitAdministrator("ada@example.com");
    visitor.cookies.clear();
    const typed = { ...CAMPAIGN_FIELDS, name: "A name that was typed" };
    const sent = await send("/admin/campaigns", "make-campaign", typed);
    expect([sent.status, sent.headers.get("Location")]).toEqual([302, "/auth?redirectTo=%2Fadmin%2Fcampaigns"]);
    const readName = async () => findField((await readPage(visitor, "/admin/campaigns")).html, "name")?.value;
    const kept = new Map(visitor.cookies);
    const ben = await seedAdministrator(api.deps, "ben@example.com");
    await visitor.begin({ accessToken: ben.token, userId: ben.user.id });
    expect(await readName()).not.toBe(typed.name);
    for (const [name, value] of kept) visitor.cookies.set(name, value);
    const { token } = await startSession(api.deps, { userId: user.id, client: NO_CLIENT, byPassword: true });
    await visitor.begin({ accessToken: token, userId: user.id });
    expect(await readName()).toBe(typed.name);
  });

  test("does not whitelist a member whose email changed after the page was shown", async () => {
    const { visitor, send, token } = await visitAdministrator("ada@example.com");
    const { user } = await seedMember(api.deps, { email: "old@example.com" });
    const path = `/admin/members/${user.id}`;
    const isListed = async () => (await api.read(readMember, { token, params: { id: user.id } })).isWhitelisted;
    await api.read(changeAddress, {
      token,
      params: { id: user.id },
      body: { email: "new@example.com", reason: "Asked" },
    });
    const late = await send(path, "whitelist", { email: "old@example.com", listed: "yes" });
    const html = await late.text();
    expect([late.status, readText(html)]).toEqual([
      409,
      expect.stringContaining("The member has a different email now. Send the form again to use that one."),
    ]);
    expect([(await readPage(visitor, path)).text, await isListed()]).toEqual([
      expect.not.stringContaining("The member is on the whitelist."),
      false,
    ]);
    expect((await send(path, "whitelist", readChoice(html))).status).toBe(303);
    const listed = await readPage(visitor, path);
    expect([listed.text, await isListed()]).toEqual([expect.stringContaining("The member is on the whitelist."), true]);
    expect((await send(path, "whitelist", readChoice(listed.html))).status).toBe(303);
    const unlisted = (await readPage(visitor, path)).text;
    expect([unlisted.includes("The member is no longer on the whitelist."), await isListed()]).toEqual([true, false]);
  });

  test("posts an incident update once, even if it is sent twice", async () => {
    const { visitor, send } = await visitAdministrator("ada@example.com");
    const impact = "down";
    await send("/admin/incidents", "open-incident", {
      title: "Mail is late",
      text: "We look",
      part: "none",
      impact,
      key: crypto.randomUUID(),
    });
    const { html } = await readPage(visitor, "/admin/incidents");
    const [id, key] = ["id", "key"].map((name) => findField(html, name)?.value ?? "") as [string, string];
    const update = { [FORM_ABOUT]: id, id, key, impact, text: "Some of it leaves" };
    const both = await Promise.all([1, 2].map(() => send("/admin/incidents", "update-incident", update)));
    expect(both.map(({ status }) => status)).toEqual([303, 303]);
    const after = await readPage(visitor, "/admin/incidents");
    expect(after.text.split("Some of it leaves")).toHaveLength(2);
    // An update keeps the impact unless its author changes it.
    expect(after.html).toMatch(/name="impact".*?<option value="down" selected=""/s);
    const end = { [FORM_ABOUT]: id, id, text: "All of it has left" };
    expect((await send("/admin/incidents", "resolve-incident", end)).status).toBe(303);
    const over = (await readPage(visitor, "/admin/incidents")).text;
    expect(over).toMatch(/The incident is resolved\. .*Mail is late Resolved .* All of it has left /);
    expect(over).not.toContain("Publish an update");
  });

  /** Drops the first response to a call. */
  function loseAnswer(call: Parameters<typeof pages.override>[0]) {
    let isLost = false;
    pages.override(call, async (request) => {
      const answer = await api.fetch(request);
      if (isLost) return answer;
      isLost = true;
      return Response.error();
    });
  }

  test("gives points once, even if the response is lost and the form is sent again", async () => {
    const { send } = await visitAdministrator("ada@example.com");
    const cleo = await seedMember(api.deps, { email: "cleo@example.com" });
    const adjust = { who: "cleo@example.com", points: "50", category: "Others", key: "may" };
    loseAnswer(makeAdjustment);
    const lost = await send("/admin/adjustments", "adjust-points", adjust);
    const key = findField(await lost.text(), "key")?.value ?? "";
    expect(lost.status).toBe(503);
    expect((await send("/admin/adjustments", "adjust-points", { ...adjust, key })).status).toBe(303);
    expect((await api.read(readStats, { token: cleo.token })).points_total).toBe(50);
  });

  test("gives points corrected after going back, in addition, once the form is sent again", async () => {
    const { send } = await visitAdministrator("ada@example.com");
    const cleo = await seedMember(api.deps, { email: "cleo@example.com" });
    const adjust = { who: "cleo@example.com", points: "50", category: "Others", key: "may" };
    expect((await send("/admin/adjustments", "adjust-points", adjust)).status).toBe(303);
    const late = await send("/admin/adjustments", "adjust-points", { ...adjust, points: "60" });
    const html = await late.text();
    const said = "this was sent before as 50 points in Others. To make another adjustment as well, send the form again";
    expect([late.status, readText(html)]).toEqual([409, expect.stringContaining(said)]);
    const again = { ...adjust, points: "60", key: findField(html, "key")?.value ?? "" };
    expect((await send("/admin/adjustments", "adjust-points", again)).status).toBe(303);
    expect((await api.read(readStats, { token: cleo.token })).points_total).toBe(110);
  });

  test("does not rotate a secret twice if the response is lost and the form is sent again", async () => {
    const { send, token } = await visitAdministrator("ada@example.com");
    const hook = { url: "https://hooks.example/", events: ["member.verified"], reason: "Our CRM" };
    const { id } = await api.read(addWebhook, { token, body: hook });
    loseAnswer({ ...rotateWebhook, path: `/api/admin/webhooks/${id}/rotate` });
    const rotate = (fields = {}) => send(`/admin/webhooks/${id}`, "rotate-webhook", { previousUntil: "", ...fields });
    const lost = await rotate();
    const previousUntil = findField(await lost.text(), "previousUntil")?.value ?? "";
    expect(lost.status).toBe(503);
    const again = await rotate({ previousUntil });
    expect([again.status, readText(await again.text())]).toEqual([
      409,
      expect.stringContaining("The secret has been changed in the meantime: nothing was done."),
    ]);
  });
});
