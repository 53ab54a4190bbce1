import { afterAll, expect, test } from "vitest";
import { unsubscribeSilenceMail } from "../../server/silence-mail/contract.ts";
import { createCode, readSilenceMail, setSilenceMail } from "../../server/silence-mail/service.ts";
import { createTestApi } from "../../tests/support/api.ts";
import { createTestDatabase } from "../../tests/support/test-database.ts";
import { createVisitor, describePages, readPage, readText } from "../../tests/support/test-pages.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

describePages(database, api, ({ pages, visitMember }) => {
  async function openLink() {
    const { user } = await visitMember();
    await setSilenceMail(api.deps, { afterHours: 3, tellsReturn: true }, { userId: user.id });
    const hours = async () => (await readSilenceMail(api.deps, user.id)).afterHours;
    return { path: `/node-mail?code=${createCode(api.deps, user.id)}`, hours, stranger: createVisitor(pages) };
  }

  test("whoever has the mail turns these mails off without signing in, and not by looking", async () => {
    const { hours, path, stranger } = await openLink();
    const asked = await readPage(stranger, path);
    expect(asked.text).toContain("No more mail about your node?");
    expect(await hours()).toBe(3);

    const done = await stranger.post(path);
    expect(done.status).toBe(200);
    expect(readText(await done.text())).toContain("These mails are off");
    expect(await hours()).toBeNull();
  });

  test("a mail program turns them off by itself (RFC 8058)", async () => {
    const { hours, path, stranger } = await openLink();
    expect((await stranger.post(path, { "List-Unsubscribe": "One-Click" })).status).toBe(200);
    expect(await hours()).toBeNull();
  });

  test("a link that was cut short says so, and turns nothing off", async () => {
    const { hours, path, stranger } = await openLink();
    const response = await stranger.post(path.slice(0, -3));
    expect(response.status).toBe(404);
    expect(readText(await response.text())).toContain("This link is not whole");
    expect((await readPage(stranger, "/node-mail")).text).toContain("This link is not whole");
    expect(await hours()).toBe(3);
  });

  test("a failure is said, and the button stays", async () => {
    const { path, stranger } = await openLink();
    pages.override(unsubscribeSilenceMail, () => Response.error());
    const response = await stranger.post(path);
    expect(response.status).toBe(503);
    expect(readText(await response.text())).toMatch(/This does not work right now .* Turn these mails off/);
  });
});
