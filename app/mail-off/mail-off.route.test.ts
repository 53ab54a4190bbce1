import { afterAll, expect, test } from "vitest";
import { unsubscribeSilenceMail } from "../../server/silence-mail/contract.ts";
import { readCampaignMail } from "../../server/campaign-mail/service.ts";
import { createUnsubscribeCode } from "../../server/mailed-code/unsubscribe-code.ts";
import { readSilenceMail, setSilenceMail } from "../../server/silence-mail/service.ts";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { createVisitor, describePages, readPage, readText } from "../../tests/support/pages/test-pages.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

describePages(database, api, ({ pages, visitMember }) => {
  async function openLink() {
    const { user } = await visitMember();
    await setSilenceMail(api.deps, { afterHours: 3, tellsReturn: true }, { userId: user.id });
    const hours = async () => (await readSilenceMail(api.deps, user.id)).afterHours;
    return {
      path: `/node-mail?code=${createUnsubscribeCode(api.deps, "silenceLink", user.id)}`,
      hours,
      stranger: createVisitor(pages),
    };
  }

  test("the emailed link turns these emails off without signing in, but only by its button", async () => {
    const { hours, path, stranger } = await openLink();
    const asked = await readPage(stranger, path);
    expect(asked.text).toContain("We email you when your node has been silent");
    expect(await hours()).toBe(3);

    const done = await stranger.post(path);
    expect(done.status).toBe(200);
    const html = await done.text();
    expect(readText(html)).toMatch(/These emails are off .*We no longer email you when your node is silent\./);
    expect(html).toContain('href="/profile#devices"');
    expect(await hours()).toBeNull();
  });

  test("a mail program can turn these emails off with one click (RFC 8058)", async () => {
    const { hours, path, stranger } = await openLink();
    expect((await stranger.post(path, { "List-Unsubscribe": "One-Click" })).status).toBe(200);
    expect(await hours()).toBeNull();
  });

  test("campaign emails are turned off the same way, but only by their own code", async () => {
    const { user } = await visitMember();
    const isSubscribed = async () => (await readCampaignMail(api.deps, user.id)).subscribed;
    const stranger = createVisitor(pages);
    const path = (kind: "campaignLink" | "silenceLink") =>
      `/campaign-mail?code=${createUnsubscribeCode(api.deps, kind, user.id)}`;
    expect((await readPage(stranger, path("campaignLink"))).text).toContain("We email you about new campaigns");
    expect((await stranger.post(path("silenceLink"))).status).toBe(404);
    expect(await isSubscribed()).toBe(true);

    const done = await stranger.post(path("campaignLink"), { "List-Unsubscribe": "One-Click" });
    expect(done.status).toBe(200);
    const html = await done.text();
    expect(readText(html)).toContain("We no longer email you about campaigns");
    expect(html).toContain('href="/profile#campaign-mail"');
    expect(await isSubscribed()).toBe(false);
  });

  test("a truncated link says so, and turns nothing off", async () => {
    const { hours, path, stranger } = await openLink();
    const response = await stranger.post(path.slice(0, -3));
    expect(response.status).toBe(404);
    expect(readText(await response.text())).toContain("This link is incomplete");
    expect((await readPage(stranger, "/node-mail")).text).toContain("This link is incomplete");
    expect(await hours()).toBe(3);
  });

  test.each([
    ["no answer", () => Response.error()],
    ["a gateway's own answer", () => new Response("<h1>Bad Gateway</h1>", { status: 502 })],
    ["a gateway that knows no such call", () => new Response("<h1>Not Found</h1>", { status: 404 })],
    ["a refusal with status 200", () => Response.json({ success: false, message: "Not now." })],
  ])("says so if the emails cannot be turned off, and keeps the button: %s", async (_, answer) => {
    const { path, stranger } = await openLink();
    pages.override(unsubscribeSilenceMail, answer);
    const response = await stranger.post(path);
    expect(response.status).toBe(503);
    expect(readText(await response.text())).toMatch(/This does not work right now .* Turn these emails off/);
  });
});
