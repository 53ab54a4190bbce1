import { expect, test } from "vitest";
import { BY_OPERATOR, CAMPAIGN_FIELDS, readAudit, seedAdministrator } from "../../tests/support/api/administration.ts";
import { seedMember } from "../../tests/support/api/api.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { describePages, findField, readPage, readText } from "../../tests/support/pages/test-pages.ts";
import { campaigns } from "../../server/db/schema.ts";
import { readStats } from "../../server/points/contract.ts";
import { blockMember } from "../../server/sessions/blocking.ts";
import { FORM_ABOUT, FORM_INTENT } from "./form-fields.ts";

const { api, clock, database } = await openTestApi();
const { db } = api.deps;

/** An adjustment for a member who does not exist. */
const ADJUSTMENT = { who: "nobody@example.com", points: "1", category: "Others", key: "may" };

/** Returns what the form contains when it comes back from an import. */
const readLines = (html: string) => /<textarea[^>]*name="lines"[^>]*>([^<]*)</.exec(html)?.[1]?.trim();

/** Forms understand what is typed as the administrator meant it. */
describePages(database, api, ({ visitAdministrator }) => {
  async function visit() {
    const { visitor, user, send: post } = await visitAdministrator();
    async function send(path: string, intent: string, fields: Record<string, string> = {}) {
      const answer = await post(path, intent, fields);
      const html = await answer.text();
      return { status: answer.status, html, text: readText(html) };
    }
    return { visitor, send, user };
  }

  test.each([
    ["/admin/audit", "action=member.praised", "No entry matches.", "Show all entries"],
    ["/admin/audit", "by=nobody%40example.com", "No entry matches.", "Show all entries"],
    ["/admin/audit", "about=nobody%40example.com", "No entry matches.", "Show all entries"],
    ["/admin/members", "search=nobody%40example.com", "No member found", "Show the latest members"],
  ])("a filter of %s without results says so and has a link that clears it", async (path, filter, said, link) => {
    const { visitor } = await visit();
    const { html, text } = await readPage(visitor, `${path}?${filter}`);
    expect(text).toContain(said);
    for (const [name, value] of new URLSearchParams(filter)) expect(findField(html, name)?.value).toBe(value);
    expect(html).toMatch(new RegExp(`<a [^>]*href="${path}"[^>]*>${link}</a>`));
    expect((await readPage(visitor, path)).text).not.toContain(link);
  });

  test("a campaign's page links to the audit log with only that campaign's entries", async () => {
    const { visitor, send } = await visit();
    for (const id of ["survey", "poll"]) await send("/admin/campaigns", "make-campaign", { ...CAMPAIGN_FIELDS, id });
    const log = "/admin/audit?about=campaign+survey";
    expect((await readPage(visitor, "/admin/campaigns/survey")).html).toContain(`<a href="${log}"`);
    const { html, text } = await readPage(visitor, log);
    expect(findField(html, "about")?.value).toBe("campaign survey");
    expect(html).toContain(`<a href="${log}"`);
    expect([text.includes("campaign survey"), text.includes("campaign poll")]).toEqual([true, false]);
  });

  test("a member's page links to the form that adjusts their points, prefilled with the member", async () => {
    const { visitor } = await visit();
    const { user } = await seedMember(api.deps);
    const way = `/admin/adjustments?who=${user.id}`;
    expect((await readPage(visitor, `/admin/members/${user.id}`)).html).toContain(`<a href="${way}#adjust-points"`);
    const { html } = await readPage(visitor, way);
    expect([findField(html, "who")?.value, html.includes('<form id="adjust-points"')]).toEqual([user.id, true]);
  });

  test("the list marks a blocked administrator and links to their page", async () => {
    const { visitor } = await visit();
    const { user } = await seedAdministrator(api.deps, "other@example.com");
    await blockMember(api.deps, BY_OPERATOR, { member: user.id });
    const { html, text } = await readPage(visitor, "/admin/administrators");
    expect(text).toContain("other@example.com Blocked 20 Nov 2026");
    expect(text.split("This is you: these pages close for you at once.")).toHaveLength(2);
    expect(html).toContain(`<a href="/admin/members/${user.id}"`);
  });

  test("the chain jobs page distinguishes an empty list from a filter without results", async () => {
    const { visitor } = await visit();
    expect((await readPage(visitor, "/admin/chain-jobs")).text).toContain("No member has begun a Smart Account yet.");
    expect((await readPage(visitor, "/admin/chain-jobs?state=failed")).text).toContain("No chain job has this state.");
  });

  test.each([
    ["/admin/campaigns", "make-campaign", "id", CAMPAIGN_FIELDS, "There is already a campaign with this id."],
    ["/admin/adjustments", "adjust-points", "who", ADJUSTMENT, "No member has this address or id."],
    ["/admin/administrators", "add-administrator", "who", ADJUSTMENT, "No member has this address or id."],
  ])(
    "%s: shows the error for a taken id or an unknown member beside its field",
    async (path, intent, name, fields, words) => {
      const { send } = await visit();
      await send("/admin/campaigns", "make-campaign", CAMPAIGN_FIELDS);
      const { html } = await send(path, intent, fields);
      expect(html).toContain(`<p id="${intent}-${name}-error" aria-live="polite" class="field-error">${words}</p>`);
      expect(html).toMatch(/<p role="alert"[^>]*><\/p>/);
    },
  );

  test("returns every line of an import that has no header line", async () => {
    const { send } = await visit();
    const lines = ["cleo@example.com,survey,", "ben@example.com,survey,", "", "eve@example.com,survey,"];
    const { html, text } = await send("/admin/completions", "import-completions", { lines: lines.join("\r\n") });
    expect(text).toContain("Start with a line that names the columns: member,campaignId,completedAt");
    expect(readLines(html)?.split("\n")).toEqual(lines);
  });

  test("a refused import returns the file's lines in the form, because browsers do not resend files", async () => {
    const { user, visitor } = await visit();
    const body = new FormData();
    const fields = { [FORM_INTENT]: "import-completions", member: user.id, reason: " ", lines: "" };
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    const text = "member,campaignId\ncleo@example.com,survey";
    body.set("file", new File([text.replace("\n", "\r\n")], "done.csv"));
    const refused = await visitor.send("/admin/completions", { method: "POST", body });
    const html = await refused.text();
    expect([refused.status, readLines(html)]).toEqual([400, text]);
    expect(findField(html, "file")?.value).toBeUndefined();
  });

  test("a file in UTF-16 is refused beside its field, and its contents are not shown", async () => {
    const { user, visitor } = await visit();
    const body = new FormData();
    const fields = { [FORM_INTENT]: "import-completions", member: user.id, reason: "Unicode Text", lines: "" };
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    body.set("file", new File([Buffer.from("\uFEFFmember\tcampaignId\r\n", "utf16le")], "done.txt"));
    const refused = await visitor.send("/admin/completions", { method: "POST", body });
    const html = await refused.text();
    expect([refused.status, readLines(html)]).toEqual([400, ""]);
    expect(html).toContain(
      'class="field-error">The file is not in UTF-8. Save it as CSV UTF-8 and choose it again.</p>',
    );
  });

  test("shows the first 1,000 of many wrong lines, and returns all of them for correction", async () => {
    const { send } = await visit();
    const lines = ["member,campaignId,completedAt", ...Array.from({ length: 2500 }, (_, index) => `${index},,`)];
    const { html, text } = await send("/admin/completions", "import-completions", { lines: lines.join("\n") });
    expect(text).toContain("2.500 not recorded.");
    expect(html).toMatch(/<output[^>]* autofocus=""[^>]*>0/);
    expect(text).toContain("The first 1.000 lines are shown, those with errors first.");
    expect(html.match(/<tr/g)).toHaveLength(1001);
    expect(readLines(html)?.split("\n")).toEqual(lines);
  });

  test.each(["1.000", "-10.000", "1e3", "0x10", "1,5"])(
    "rejects %s as a number of points instead of guessing",
    async (typed) => {
      const { send } = await visit();
      const cleo = await seedMember(api.deps, { email: "cleo@example.com" });
      const adjust = { who: "cleo@example.com", points: typed, category: "Others", key: "may" };
      const asked = expect.stringContaining("Enter a number of points, such as 1000 or 0.5.");
      const refused = await send("/admin/adjustments", "adjust-points", adjust);
      expect([refused.status, refused.text]).toEqual([400, asked]);
      expect(findField(refused.html, "points")?.value).toBe(typed);
      expect((await api.read(readStats, { token: cleo.token })).points_total).toBe(0);
      const made = await send("/admin/campaigns", "make-campaign", { ...CAMPAIGN_FIELDS, bonusPoints: typed });
      expect([made.status, made.text]).toEqual([400, asked]);
      expect(await db.$count(campaigns)).toBe(0);
    },
  );

  test("uses the singular for one point, whether it is posted or waits for approval", async () => {
    const { send, user, visitor } = await visit();
    const cleo = await seedMember(api.deps, { email: "cleo@example.com" });
    const adjust = { points: "1", category: "Others" };
    await send("/admin/adjustments", "adjust-points", { ...adjust, who: cleo.user.email, key: "may" });
    expect((await readPage(visitor, "/admin/adjustments")).text).toContain(`Posted: +1 point for ${cleo.user.email}.`);
    await send("/admin/adjustments", "adjust-points", { ...adjust, who: user.email, key: "june" });
    const { html, text } = await readPage(visitor, "/admin/adjustments");
    expect(text).toContain(`Waiting for another administrator to approve: +1 point for ${user.email}.`);
    expect(text).toContain(`+1 point for ${user.email}`);

    const id = findField(html, "id")?.value ?? "";
    expect((await send("/admin/adjustments", "decline-points", { id, [FORM_ABOUT]: id })).status).toBe(303);
    const withdrawn = await readPage(visitor, "/admin/adjustments");
    expect(withdrawn.text).toContain("Declined: nothing is posted.");
    expect(withdrawn.text).toContain("No adjustment is waiting for a second administrator.");
    const all = await readPage(visitor, "/admin/adjustments?show=all");
    expect(all.text).toContain(`Declined 20 Nov 2026, 12:00 UTC by ${user.email} –`);
  });

  test("explains in words which fields are empty, too long or not whole numbers", async () => {
    const { send } = await visit();
    const typed = {
      ...CAMPAIGN_FIELDS,
      id: "",
      name: "",
      taskNumber: "1.5",
      formUrl: `https://x.example/${"x".repeat(500)}`,
    };
    const { text } = await send("/admin/campaigns", "make-campaign", typed);
    for (const asked of [
      "Enter an id.",
      "Enter a name.",
      "Enter a whole number from 0 to 9.999.",
      "Use 500 characters at most.",
    ])
      expect(text).toContain(asked);
    expect(text).not.toMatch(/expected (?:string|number|int)/);
  });

  test("counts a line break as one character, as the browser's own limit does", async () => {
    const { send } = await visit();
    const full = `${"x".repeat(250)}\r\n${"y".repeat(249)}`;
    expect((await send("/admin/campaigns", "make-campaign", { ...CAMPAIGN_FIELDS, reason: full })).status).toBe(303);
    expect((await readAudit(db)).map(({ reason }) => reason)).toEqual([full.replace("\r", "")]);
    const longer = await send("/admin/campaigns", "make-campaign", {
      ...CAMPAIGN_FIELDS,
      id: "other",
      reason: `${full}z`,
    });
    expect([longer.status, longer.text]).toEqual([400, expect.stringContaining("Use 500 characters at most.")]);
  });

  test("changes a campaign that was ended before it started without touching its times", async () => {
    const { visitor, send } = await visit();
    const future = { mandatory: "yes", buttonText: "Answer", startsAt: "2030-05-01T00:00" };
    await send("/admin/campaigns", "make-campaign", { ...CAMPAIGN_FIELDS, ...future });
    clock.advance(123);
    await send("/admin/campaigns/survey", "end-campaign", { confirmed: "on" });
    const { html } = await readPage(visitor, "/admin/campaigns/survey");
    const { id: _, ...fields } = { ...CAMPAIGN_FIELDS, seen: "" };
    const shown = Object.keys(fields).map((name): [string, string] => [name, findField(html, name)?.value ?? ""]);
    const mandatory = /name="mandatory".*?value="(\w+)" selected=""/s.exec(html)?.[1] ?? "";
    const change = { ...Object.fromEntries(shown), mandatory, name: "Another name" };
    expect((await send("/admin/campaigns/survey", "change-campaign", change)).status).toBe(303);
    const { details } = (await readAudit(db)).at(-1) ?? {};
    expect(details).toEqual({ before: { name: "Survey" }, after: { name: "Another name" } });
  });
});
