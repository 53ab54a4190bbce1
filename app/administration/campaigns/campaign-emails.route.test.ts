import { expect, test } from "vitest";
import { CAMPAIGN_FIELDS, readAudit } from "../../../tests/support/api/administration.ts";
import { runDue } from "../../../tests/support/api/jobs.ts";
import { openTestApi } from "../../../tests/support/api/open-test-api.ts";
import { describePages, readPage, readText } from "../../../tests/support/pages/test-pages.ts";
import { createCampaignMailing } from "../../../server/campaign-mail/mailing.ts";

const { api, database } = await openTestApi();

const { emailMembers: _, ...unsaid } = CAMPAIGN_FIELDS;
const readChoice = (html: string) => /name="emailMembers".*?value="(\w+)" selected=""/s.exec(html)?.[1];

describePages(database, api, ({ visitAdministrator }) => {
  const visit = () => visitAdministrator("ada@example.com", "A reason");

  test("a new campaign is emailed unless the administrator says no, which a refused form remembers", async () => {
    const { send, visitor } = await visit();
    expect(readChoice((await readPage(visitor, "/admin/campaigns")).html)).toBe("yes");
    const refused = await send("/admin/campaigns", "make-campaign", { ...unsaid, name: "", emailMembers: "no" });
    expect([refused.status, readChoice(await refused.text())]).toEqual([400, "no"]);

    await send("/admin/campaigns", "make-campaign", { ...unsaid, id: "quiet", emailMembers: "no" });
    expect((await readPage(visitor, "/admin/campaigns/quiet")).text).toContain("Emails Members are not emailed");
    // A page from before there was the choice.
    await send("/admin/campaigns", "make-campaign", { ...unsaid, id: "old" });
    expect((await readPage(visitor, "/admin/campaigns/old")).text).toContain("Emails Members are not emailed");
    const details = (await readAudit(database.db)).map((entry) => entry.details);
    expect(details).toMatchObject([{ emailMembers: false }, { emailMembers: false }]);
  });

  test("a campaign's page says whether members are told, and how far that is", async () => {
    const { send, visitor } = await visit();
    const later = { ...CAMPAIGN_FIELDS, emailMembers: "yes", startsAt: "2030-01-01T00:00" };
    await send("/admin/campaigns", "make-campaign", { ...later, id: "later" });
    const { text } = await readPage(visitor, "/admin/campaigns/later");
    expect(text).toContain("Emails Members are emailed when it starts");

    const made = await send("/admin/campaigns", "make-campaign", { ...later, startsAt: "2020-01-01T00:00" });
    expect([made.status, readText(await made.text())]).toEqual([303, ""]);
    const read = async () => (await readPage(visitor, "/admin/campaigns/survey")).text;
    expect(await read()).toContain("Emails 0 members emailed so far");
    while ((await runDue(api.deps, createCampaignMailing(api.deps))).length > 0);
    expect(await read()).toContain("Emails 1 member was emailed");
  });
});
