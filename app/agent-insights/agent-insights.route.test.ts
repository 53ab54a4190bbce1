import { afterAll, expect, test } from "vitest";
import { readUptime, registerDevice, sendHeartbeats } from "../../server/heartbeats/contract.ts";
import { createTestApi, createTestClock } from "../../tests/support/api.ts";
import { createTestDatabase } from "../../tests/support/test-database.ts";
import { describePages, readPage } from "../../tests/support/test-pages.ts";

const database = await createTestDatabase();
const clock = createTestClock("2026-11-20T12:07:00.000Z");
const api = createTestApi(database, { now: clock.now });
afterAll(() => database.close());

const HOUR = 60 * 60 * 1000;
const ago = (milliseconds: number) => ({ timestamp: new Date(clock.now().getTime() - milliseconds).toISOString() });

describePages(database, api, ({ pages, visitMember }) => {
  test("a node that never beat is told how to begin", async () => {
    const { visitor } = await visitMember();
    const { text, html } = await readPage(visitor, "/agentinsights");
    expect(text).toContain("Your node has not beaten yet");
    expect(text).toContain("npm run node");
    expect(html).toContain('href="/profile#devices"');
    expect(text).not.toContain("refused");
  });

  test("shows the last beat with its machine, both strips in words, and what was refused and why", async () => {
    const { visitor, token } = await visitMember();
    const { deviceKey } = await api.read(registerDevice, { token, body: { name: "attic" } });
    const beats = [ago(0), ago(2 * HOUR), ago(3 * HOUR), ago(-HOUR), { timestamp: "2019-03-01T00:00:00Z" }];
    await api.read(sendHeartbeats, { token: deviceKey, body: { beats } });

    const { text, html } = await readPage(visitor, "/agentinsights");
    expect(text).toMatch(/Beating .*20 Nov, 12:07 UTC from attic/);
    expect(text).toContain("23,07 %");
    expect(text).toMatch(/since the first heartbeat, longest gap 1 hour 45 minutes, from 20 Nov, 10:15 UTC/);
    expect(text).toContain("A heartbeat in 23,07 % of the spans of 15 minutes; the longest gap is 1 hour 45 minutes.");
    expect(html).toContain("20 Nov, 10:15 UTC, 15 minutes: missed");
    expect(html).toContain("20 Nov, 12:00 UTC, 15 minutes: beat");
    expect(text).toMatch(/20 Nov, 10:15 UTC 20 Nov, 12:00 UTC 1 hour 45 minutes Missed/);
    expect(text).toContain("2 refused heartbeats");
    expect(text).toMatch(
      /60 seconds in the future\. .*claimed 20 Nov, 13:07 UTC , received 20 Nov, 12:07 UTC , from attic/,
    );
    expect(text).toMatch(/more than 7 days old and no longer counts\. claimed 2019, 1 Mar, 00:00 UTC/);
  });

  test("says so when the last beat is half an hour ago", async () => {
    const { visitor, token } = await visitMember();
    await api.read(sendHeartbeats, { token, body: { beats: [ago(HOUR / 2)] } });
    expect((await readPage(visitor, "/agentinsights")).text).toContain("Your node Silent");
  });

  test("the rest of the page stays where the uptime does not come", async () => {
    const { visitor } = await visitMember();
    pages.override(readUptime, () => Response.error());
    const { status, text } = await readPage(visitor, "/agentinsights");
    expect(status).toBe(200);
    expect(text).toContain("Your node Not here yet");
    expect(text).toContain("finished by your node");
  });
});
