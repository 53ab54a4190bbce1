import { expect, test } from "vitest";
import { readDevices } from "../../../server/heartbeats/contract.ts";
import { openTestApi } from "../../../tests/support/api/open-test-api.ts";
import { describePages, readPage } from "../../../tests/support/pages/test-pages.ts";

const { api, database } = await openTestApi();

describePages(database, api, ({ pages, visitMember }) => {
  test("says of a new machine key that no heartbeat has come yet, and of an older one for how long", async () => {
    const { visitor } = await visitMember();
    const machines = [
      { name: "attic", days: 0 },
      { name: "cellar", days: 8 },
    ];
    // The page compares with the real clock.
    const devices = machines.map(({ name, days }) => ({
      id: crypto.randomUUID(),
      name,
      createdAt: new Date(Date.now() - days * 86_400_000).toISOString(),
      lastBeatAt: null,
    }));
    pages.override(readDevices, () => Response.json({ devices }));
    const { text } = await readPage(visitor, "/profile");
    expect(text).toMatch(/attic no heartbeat yet key created .* cellar no heartbeat in the last 7 days key created/);
  });

  test("without scripts, a link beside a new key's command loads the page again", async () => {
    const { visitor } = await visitMember();
    const created = await (await visitor.post("/profile", { intent: "device", name: "attic" })).text();
    const [, href = ""] = /<a href="([^"]+)"[^>]*>Check whether it has arrived/.exec(created) ?? [];
    const [address = "", fragment] = href.split("#");
    // A browser only scrolls if the address differs from that of the page by nothing but its fragment.
    expect(address).not.toBe("/profile");
    expect(fragment).toBe("devices");
    expect((await readPage(visitor, address)).text).toContain("attic no heartbeat");
  });
});
