import { afterAll, expect, test } from "vitest";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { describePages, listUnreadMessages, readPage } from "../../tests/support/pages/test-pages.ts";
import { setCampaignMail } from "../../server/campaign-mail/contract.ts";
import { readCampaignMail } from "../../server/campaign-mail/service.ts";
import { AUTH_EVENT } from "../api/auth-event.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

const isSubscribed = async (userId: string) => (await readCampaignMail(api.deps, userId)).subscribed;

describePages(database, api, ({ pages, visitMember }) => {
  // specification: 2.13
  test("a campaign email's link changes nothing; its button turns emails off, and Undo turns them on", async () => {
    const { visitor, user } = await visitMember();
    const asked = await readPage(visitor, "/rewards?unsubscribe=1");
    expect(asked.text).toContain("Turn off campaign emails");
    expect(await isSubscribed(user.id)).toBe(true);

    const response = await visitor.post("/rewards", { intent: "campaign-mail-off" });
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/rewards"]);
    expect(await isSubscribed(user.id)).toBe(false);
    const off = await readPage(visitor, "/rewards");
    expect(off.text).toContain("Campaign emails are off.");
    expect(off.text).toContain("Undo");
    expect(listUnreadMessages(visitor, AUTH_EVENT)).toEqual(["USER_UPDATED"]);

    const undone = await visitor.post("/rewards", { intent: "campaign-mail" });
    expect([undone.status, undone.headers.get("Location")]).toEqual([303, "/rewards"]);
    expect(await isSubscribed(user.id)).toBe(true);
    const on = await readPage(visitor, "/rewards");
    expect(on.text).toContain("Campaign emails are on again.");
    expect(on.text).not.toContain("Undo");

    // The note shows once, and loading the page again changes nothing.
    expect((await readPage(visitor, "/rewards")).text).not.toContain("ampaign email");
    expect(await isSubscribed(user.id)).toBe(true);
  });

  test("says so if campaign emails cannot be changed, and changes nothing", async () => {
    const { visitor, user } = await visitMember();
    pages.override(setCampaignMail, () => Response.error());
    const response = await visitor.post("/rewards", { intent: "campaign-mail-off" });
    expect(response.headers.get("Location")).toBe("/rewards?unsubscribe");
    const { text } = await readPage(visitor, "/rewards?unsubscribe");
    expect(text).toContain("Campaign emails could not be changed right now.");
    expect(text).not.toContain("Undo");
    expect(text).toContain("Turn off campaign emails");
    expect(await isSubscribed(user.id)).toBe(true);

    const undone = await visitor.post("/rewards", { intent: "campaign-mail" });
    expect(undone.headers.get("Location")).toBe("/rewards");
    expect((await readPage(visitor, "/rewards")).text).toMatch(
      /Campaign emails could not be changed right now\..* Undo/,
    );

    pages.override(setCampaignMail, () => Response.json({ message: "No", error: "NOT_FOUND" }, { status: 404 }));
    await visitor.post("/rewards", { intent: "campaign-mail-off" });
    expect((await readPage(visitor, "/rewards")).text).toContain("Campaign emails cannot be changed here.");
  });

  test("rejects an ID that no reward can have as a bad request", async () => {
    const { visitor } = await visitMember();
    const response = await visitor.post("/rewards", { intent: "claim", id: "\0" });
    expect(response.status).toBe(400);
  });

  // specification: 2.13
  test("ignores unknown notes and parameters, and rejects a form without an intent", async () => {
    const { visitor } = await visitMember();
    visitor.cookies.set("note_campaign-mail_1", "nonsense");
    expect((await readPage(visitor, "/rewards?mail=off")).text).not.toContain("ampaign email");
    expect((await visitor.post("/rewards", {})).status).toBe(400);
  });
});
