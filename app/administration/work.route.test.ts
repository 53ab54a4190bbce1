import { expect, test } from "vitest";
import { eq } from "drizzle-orm";
import { CAMPAIGN_FIELDS, readAudit } from "../../tests/support/api/administration.ts";
import { seedMember } from "../../tests/support/api/api.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import {
  createVisitor,
  describePages,
  findField,
  listFields,
  readPage,
  readText,
} from "../../tests/support/pages/test-pages.ts";
import { backgroundJobs, campaigns } from "../../server/db/schema.ts";
import { inTransaction } from "../../server/db/transaction.ts";
import { enqueue } from "../../server/jobs/queries.ts";
import { readStats } from "../../server/points/contract.ts";
import { recordReferral } from "../../server/referrals/service.ts";
import { formatUtc } from "../ui/time.tsx";
import { FORM_ABOUT } from "./form-fields.ts";

const { api, database } = await openTestApi({ env: { adjustmentApprovalAbove: 1000 } });

const NASTY = `<script>alert(1)</script> "quoted" & '=HYPERLINK("x")'`;
/** Returns the contents of a text area. */
const readArea = (html: string, name: string) => {
  const [, text = ""] = new RegExp(`<textarea[^>]*\\bname="${name}"[^>]*>(.*?)</textarea>`, "s").exec(html) ?? [];
  const marks = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'", "&amp;": "&" };
  return text.replaceAll(/&(?:lt|gt|quot|#x27|amp);/g, (mark) => marks[mark as keyof typeof marks]);
};
const ESCAPED = "&lt;script&gt;alert(1)&lt;/script&gt;";

const leadsTo = (answer: Response) => [answer.status, answer.headers.get("Location")];

describePages(database, api, ({ pages, visitAdministrator, visitMember }) => {
  const visit = (email: string) => visitAdministrator(email, NASTY);
  const campaign = { ...CAMPAIGN_FIELDS, name: NASTY, startsAt: "2026-01-01T00:00" };

  test("creates, changes and ends a campaign by forms, and escapes its text", async () => {
    const { visitor, send } = await visit("ada@example.com");
    const made = await send("/admin/campaigns", "make-campaign", campaign);
    expect(leadsTo(made)).toEqual([303, "/admin/campaigns/survey"]);
    const again = await send("/admin/campaigns", "make-campaign", campaign);
    expect([again.status, readText(await again.text())]).toEqual([
      409,
      expect.stringContaining("There is already a campaign with this id."),
    ]);

    const page = await readPage(visitor, "/admin/campaigns/survey");
    expect(page.html).toContain(ESCAPED);
    expect(page.html).not.toContain("<script>alert");
    expect(page.text).toContain("250,5");
    expect(page.text).toContain("1 Jan 2026, 00:00 UTC");
    const fields = Object.fromEntries(listFields(page.html).map(({ name, value }) => [name, value]));
    expect(fields).toMatchObject({ name: expect.stringContaining(ESCAPED), startsAt: "2026-01-01T00:00:00" });

    const { id: _, ...change } = campaign;
    const later = { ...change, name: "Survey", endsAt: "2025-01-01T00:00", seen: fields.seen ?? "" };
    const backwards = await send("/admin/campaigns/survey", "change-campaign", later);
    expect([backwards.status, readText(await backwards.text())]).toEqual([
      400,
      expect.stringContaining("It must end after it starts."),
    ]);
    await send("/admin/campaigns/survey", "change-campaign", { ...later, endsAt: "" });
    const unticked = await send("/admin/campaigns/survey", "end-campaign");
    expect(unticked.status).toBe(400);
    const ended = await send("/admin/campaigns/survey", "end-campaign", { confirmed: "on" });
    expect(leadsTo(ended)).toEqual([303, "/admin/campaigns/survey"]);
    expect((await readPage(visitor, "/admin/campaigns")).text).toContain("Ended");
    const actions = (await readAudit(database.db)).map(({ action }) => action);
    expect(actions).toEqual(["campaign.created", "campaign.changed", "campaign.changed"]);
  });

  test("a page that is exactly full has no link to a next page", async () => {
    const { visitor } = await visit("ada@example.com");
    const row = { name: "Survey", type: "form", formUrl: "https://forms.example", bonusPoints: 1, mandatory: false };
    const add = (from: number, count: number) =>
      database.db
        .insert(campaigns)
        .values(Array.from({ length: count }, (_, at) => ({ ...row, id: `c${from + at}`, taskNumber: from + at })));
    await add(0, 50);
    expect((await readPage(visitor, "/admin/campaigns")).html).not.toContain("Next page");
    await add(50, 1);
    const { html } = await readPage(visitor, "/admin/campaigns?x=1");
    expect(html).not.toContain("/admin/campaigns/c50");
    const last = (await readPage(visitor, "/admin/campaigns?x=1&after=c49")).html;
    expect(last).toMatch(/c50".*<nav[^>]*><a [^>]*href="\/admin\/campaigns\?x=1"[^>]*>First page<\/a><\/nav>/s);
    expect(html).toContain("/admin/campaigns?x=1&amp;after=c49");
  });

  test("imports a file line by line, and returns the lines not recorded for correction", async () => {
    const { send, visitor } = await visit("ada@example.com");
    const { user } = await seedMember(api.deps, { email: "cleo@example.com" });
    await send("/admin/campaigns", "make-campaign", { ...campaign, name: "Survey" });
    const lines = [
      "member,campaignId,completedAt",
      "cleo@example.com,survey,",
      `${user.id},survey,`,
      '"=HYPERLINK(""https://evil.example"")",survey,',
      "nobody@example.com,survey,",
      "cleo@example.com,survey,2026-99-99",
      "<script>alert(1)</script>,survey,",
    ];
    const answer = await send("/admin/completions", "import-completions", { lines: lines.join("\r\n") });
    const html = await answer.text();
    expect(answer.status).toBe(200);
    expect(readText(html)).toContain("1 recorded, 1 already recorded, 4 not recorded.");
    expect(readText(html)).toContain("No member has this address or id.");
    expect(html).not.toContain("<script>alert");
    const kept = readArea(html, "lines").split("\n").filter(Boolean);
    expect(kept).toEqual([lines[0], ...lines.slice(3)]);
    const page = await readPage(visitor, "/admin/campaigns/survey");
    expect(page.text).toContain("cleo@example.com");
    expect(page.text).toContain("Completed by 1 member ");

    const nothing = await send("/admin/completions", "import-completions", { lines: " " });
    expect([nothing.status, readText(await nothing.text())]).toEqual([400, expect.stringContaining("Choose a file")]);
    const long = await send("/admin/completions", "import-completions", { lines: "x".repeat(200_001) });
    expect([long.status, readText(await long.text())]).toEqual([400, expect.stringContaining("too long")]);
  });

  test("points above the limit wait until a second administrator approves them", async () => {
    const [ada, ben] = [await visit("ada@example.com"), await visit("ben@example.com")];
    const cleo = await seedMember(api.deps, { email: "cleo@example.com" });
    const total = async () => (await api.read(readStats, { token: cleo.token })).points_total;
    const adjust = { who: "cleo@example.com", points: "500", category: "Rewards", key: "one" };
    expect((await ada.send("/admin/adjustments", "adjust-points", adjust)).status).toBe(303);
    expect(await total()).toBe(500);
    await ada.send("/admin/adjustments", "adjust-points", { ...adjust, points: "5000.5", key: "two" });
    expect(await total()).toBe(500);

    const own = await readPage(ada.visitor, "/admin/adjustments");
    expect(own.text).toContain("You have 500 left today.");
    expect(own.text).toContain("+5.000,5");
    expect(own.text).toContain("Withdraw");
    expect(own.text).not.toContain("Post +5.000,5");
    const page = await readPage(ben.visitor, "/admin/adjustments");
    expect(page.html).not.toContain("<script>alert");
    const id = findField(page.html, "id")?.value ?? "";
    const refused = await ada.send("/admin/adjustments", "approve-points", { id, [FORM_ABOUT]: id });
    expect([refused.status, readText(await refused.text())]).toEqual([
      409,
      expect.stringContaining("You requested this"),
    ]);
    const agreed = await ben.send("/admin/adjustments", "approve-points", { id, [FORM_ABOUT]: id });
    expect(leadsTo(agreed)).toEqual([303, "/admin/adjustments"]);
    expect(await total()).toBe(5500.5);
    expect((await readPage(ben.visitor, "/admin/adjustments?show=all")).text).toMatch(/by ada@.* Approved .* by ben@/);
    const { text } = await readPage(ben.visitor, "/admin/audit?action=points.approved");
    expect(text).toMatch(/ Show the details of points\.approved, 20 Nov 2026/);
  });

  test("an administrator reviews and releases a held invitation, unless it is their own", async () => {
    const { send, user, visitor } = await visit("ada@example.com");
    const inviter = await seedMember(api.deps, { email: "cleo@example.com" });
    const friend = await seedMember(api.deps, { email: "cleo+2@example.com" });
    const held = { inviterId: inviter.user.id, inviteeId: friend.user.id, at: api.deps.now() };
    const id = await inTransaction(api.deps.db, (tx) => recordReferral(tx, held));
    expect((await readPage(visitor, "/admin/referrals")).text).toMatch(
      /same mailbox .* Review the invitation of cleo\+2@example\.com/,
    );
    const page = await readPage(visitor, `/admin/referrals/${id}`);
    expect(page.text).toContain("1 invited, 1 held, 0 refused");
    expect(leadsTo(await send(`/admin/referrals/${id}`, "release-referral"))).toEqual([303, "/admin/referrals"]);
    expect((await api.read(readStats, { token: friend.token })).points_total).toBe(1000);
    expect((await readPage(visitor, `/admin/referrals/${id}`)).status).toBe(404);
    const again = await send(`/admin/referrals/${id}`, "refuse-referral", { confirmed: "on" });
    expect(again.status).toBe(404);

    const { user: invitee } = await seedMember(api.deps, { email: "ada+2@example.com" });
    const own = { inviterId: user.id, inviteeId: invitee.id, at: api.deps.now() };
    const path = `/admin/referrals/${await inTransaction(api.deps.db, (tx) => recordReferral(tx, own))}`;
    const { text } = await readPage(visitor, path);
    expect(text).toContain("This invitation is yours: another administrator has to decide.");
    expect(text).not.toContain("Release and pay");
  });

  test("writes, previews and publishes a legal document, and escapes markup in it", async () => {
    const { send, visitor } = await visit("ada@example.com");
    const start = await readPage(visitor, "/admin/legal/tos");
    expect(readArea(start.html, "source")).toContain("## ");
    const draft = {
      title: "Terms of Service",
      changes: NASTY,
      source: `## ${NASTY} {#first}\n\n${NASTY}\n\n- <img src=x onerror=alert(1)>\n- again\n\nSame.\n\nSame.`,
      effectiveFrom: findField(start.html, "effectiveFrom")?.value ?? "",
      revision: "0",
    };
    const wrong = await send("/admin/legal/tos", "save-draft", { ...draft, source: "No heading" });
    const returned = await wrong.text();
    expect([wrong.status, readText(returned)]).toEqual([400, expect.stringContaining("begin with a heading")]);
    expect(readArea(returned, "source").trim()).toBe("No heading");
    expect((await send("/admin/legal/tos", "save-draft", draft)).status).toBe(303);
    const page = await readPage(visitor, "/admin/legal/tos");
    expect(page.text).toMatch(/on the whitelist are then asked to accept it\..* is announced and not in force yet\./);
    expect(page.html).not.toMatch(/<script>alert|<img src=x/);

    const published = await send("/admin/legal/tos", "publish-draft", { revision: "1", confirmed: "on" });
    expect(leadsTo(published)).toEqual([303, "/admin/legal/tos"]);
    const terms = await readPage(createVisitor(pages), "/terms/3");
    expect(terms.status).toBe(200);
    expect(terms.html).toContain(ESCAPED);
    expect(terms.html).not.toMatch(/<script>alert|<img src=x/);
    // As if the button were pressed twice.
    const again = await send("/admin/legal/tos", "publish-draft", { revision: "1", confirmed: "on" });
    expect(leadsTo(again)).toEqual([303, "/admin/legal/tos"]);
    expect((await readPage(visitor, "/admin/legal/tos")).text).toContain("Version 3 is published.");
    expect((await readPage(visitor, "/admin/legal/imprint")).status).toBe(404);
  });

  test("resends or removes given-up emails, and does not show their content", async () => {
    const { send, visitor } = await visit("ada@example.com");
    const [dueAt, payload] = [api.deps.now(), Buffer.from("to cleo@example.com")];
    await inTransaction(api.deps.db, async (tx) => {
      for (const key of ["m1", "m2"]) await enqueue(tx, { kind: "mail", key, payload, dueAt });
    });
    const deadAt = new Date(dueAt.getTime() + 60 * 60_000);
    const died = { deadAt, attempts: 3, lastError: NASTY };
    await database.db.update(backgroundJobs).set(died).where(eq(backgroundJobs.kind, "mail"));
    const page = await readPage(visitor, "/admin/mail");
    expect(page.html).toContain(ESCAPED);
    expect(page.text).not.toContain("cleo@example.com");
    // A form opens with the same words that its button has.
    expect([page.text.match(/Try again/g)?.length, page.text.includes("Run now")]).toEqual([4, false]);
    expect(page.text).toContain(formatUtc(deadAt.toISOString()));
    const about = { [FORM_ABOUT]: "mail-m1", key: "m1" };
    expect((await send("/admin/mail", "remove-letter", { ...about, confirmed: "on" })).status).toBe(303);
    expect((await send("/admin/mail", "retry-job", { [FORM_ABOUT]: "mail-m2", kind: "mail", key: "m2" })).status).toBe(
      303,
    );
    expect((await readPage(visitor, "/admin/mail")).text).toContain("No email was given up.");
    expect((await readPage(visitor, "/admin/mail?show=all")).text).toMatch(/Waiting .* Send now/);
    await database.db.update(backgroundJobs).set({ lease: crypto.randomUUID() });
    expect((await readPage(visitor, "/admin/mail?show=all")).text).not.toContain("Send now");
    expect((await readPage(visitor, "/admin/background-jobs?show=all")).status).toBe(200);

    await database.db.update(backgroundJobs).set(died).where(eq(backgroundJobs.kind, "mail"));
    expect((await readPage(visitor, "/admin/mail")).text).toContain("Retry up to 1.000 emails");
    await send("/admin/mail", "retry-letters");
    expect((await readPage(visitor, "/admin/mail")).text).toContain("1 email will be sent again.");
    expect((await readPage(visitor, "/admin/chain-jobs?state=failed")).status).toBe(200);
    expect((await readPage(visitor, "/admin/chain-jobs?state=lost")).status).toBe(404);
    expect((await readPage(visitor, `/admin/chain-jobs/${crypto.randomUUID()}`)).status).toBe(404);
  });

  test.each([
    "campaigns",
    "completions",
    "adjustments",
    "referrals",
    "legal",
    "legal/tos",
    "chain-jobs",
    "mail",
    "background-jobs",
  ])("/admin/%s is forbidden to members", async (path) => {
    const { visitor } = await visitMember({ onboarded: false });
    expect(await readPage(visitor, `/admin/${path}`)).toMatchObject({ status: 403 });
  });
});
