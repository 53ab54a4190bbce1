import { afterAll, expect, test } from "vitest";
import { readDailyJobs, readDataStats, readNetworkJobs } from "../../server/agent-insights/contract.ts";
import { readDevices, registerDevice, readUptime, sendHeartbeats } from "../../server/heartbeats/contract.ts";
import { createTestApi, createTestClock } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { describePages, readPage, readText } from "../../tests/support/pages/test-pages.ts";

const database = await createTestDatabase();
const clock = createTestClock("2026-11-20T12:07:00.000Z");
const api = createTestApi(database, { now: clock.now });
afterAll(() => database.close());

const HOUR = 60 * 60 * 1000;
const ago = (milliseconds: number) => ({ timestamp: new Date(clock.now().getTime() - milliseconds).toISOString() });

describePages(database, api, ({ pages, visitMember }) => {
  test("a member without heartbeats creates a key and gets the complete command with it", async () => {
    const { visitor, token } = await visitMember();
    const before = await readPage(visitor, "/agentinsights");
    expect(before.text).toContain("Node.js 20.3 or newer");
    expect(before.text).toContain("http://nodebeat.test/node/nodebeat-node.tgz");
    expect(before.text).not.toMatch(/NODEBEAT_KEY|refused|Uptime/);

    const response = await visitor.post("/agentinsights", { intent: "device", name: "attic" });
    const text = readText(await response.text());
    const [, key = ""] =
      /NODEBEAT_KEY=(\S+) npx --yes http:\/\/nodebeat\.test\/node\/nodebeat-node\.tgz --url http:\/\/nodebeat\.test /.exec(
        text,
      ) ?? [];
    expect(text).toContain("Your command for attic");
    expect(text).toContain(`$env:NODEBEAT_KEY='${key}'; npx.cmd --yes http`);
    expect(text).toContain("Waiting for the first heartbeat.");
    const readProfile = async () => (await readPage(visitor, "/profile")).text;
    expect(await readProfile()).toMatch(/attic no heartbeat .* key created 20 Nov 2026, 12:07 UTC/);
    expect((await api.call(sendHeartbeats, { token: key, body: { beats: [ago(0)] } })).status).toBe(200);

    const after = await readPage(visitor, "/agentinsights");
    expect(after.text).toMatch(/Beating .* from attic/);
    expect(after.text).not.toContain("Start your node");
    expect(after.html).not.toContain(key);
    expect(await api.read(readDevices, { token })).toMatchObject({ devices: [{ name: "attic" }] });
    expect(await readProfile()).toMatch(/attic last heartbeat 20 Nov 2026, 12:07 UTC key .* Revoke the key of attic /);
  });

  test.each([
    ["https://api.example/", "https://api.example"],
    ["javascript:alert(1)//", "http://nodebeat.test"],
    ["nowhere", "http://nodebeat.test"],
  ])("if the backend gives %s as its address, the command uses %s", async (address, asked) => {
    const { visitor } = await visitMember();
    pages.override(registerDevice, () => Response.json({ deviceId: "device-1", deviceKey: "$(id)", address }));
    const response = await visitor.post("/agentinsights", { intent: "device", name: "attic" });
    const html = await response.text();
    expect(readText(html)).toContain(`NODEBEAT_KEY='$(id)' npx --yes ${asked}/node/nodebeat-node.tgz --url ${asked} `);
    expect(html).not.toContain('href="javascript:');
  });

  test.each(["", " "])("rejects %j as the name of a machine", async (name) => {
    const { visitor, token } = await visitMember();
    const response = await visitor.post("/agentinsights", { intent: "device", name });
    expect(response.status).toBe(400);
    expect(readText(await response.text())).toContain("Enter a name for the machine.");
    expect(await api.read(readDevices, { token })).toEqual({ devices: [] });
  });

  test("says that a member who comes back already has a key, which is not shown again", async () => {
    const { visitor, token } = await visitMember();
    expect((await readPage(visitor, "/agentinsights")).text).not.toContain("You already have a key.");
    await api.read(registerDevice, { token, body: { name: "attic" } });
    const { html, text } = await readPage(visitor, "/agentinsights");
    expect(text).toContain("You already have a key. We showed its command only once.");
    expect(html).toContain('href="/profile#devices"');
  });

  test("if all heartbeats were refused, lists them beside how to start a node", async () => {
    const { visitor, token } = await visitMember();
    await api.read(sendHeartbeats, { token, body: { beats: [ago(-HOUR)] } });
    const { text } = await readPage(visitor, "/agentinsights");
    expect(text).toContain("Start your node");
    expect(text).toMatch(/1 refused heartbeat .* received 20 Nov 2026, 12:07 UTC without a key/);

    const beats = [2, 3, 4, 5, 6].map((hours) => ago(-hours * HOUR));
    await api.read(sendHeartbeats, { token, body: { beats } });
    expect((await readPage(visitor, "/agentinsights")).text).toMatch(
      /6 refused heartbeats .* Show 1 more This is more/,
    );
  });

  test("says how many refused heartbeats there are if not all are listed", async () => {
    const { visitor, token } = await visitMember();
    const refuse = async (minutes: number[]) => {
      const beats = minutes.map((minute) => ago(-HOUR - minute * 60_000));
      await api.read(sendHeartbeats, { token, body: { beats } });
      return (await readPage(visitor, "/agentinsights")).text;
    };
    const some = Array.from({ length: 25 }, (_, minute) => minute);
    expect(await refuse(some)).toMatch(/25 refused heartbeats .* Show 20 more/);
    expect(await refuse([25, 26])).toMatch(/27 refused heartbeats .* Show 20 of 22 more/);
  });

  test("the bars of a strip are one path per state, and the legend names the states that occur", async () => {
    const { visitor, token } = await visitMember();
    await api.read(sendHeartbeats, { token, body: { beats: [ago(0), ago(3 * HOUR)] } });
    const { html, text } = await readPage(visitor, "/agentinsights");
    const strips = html.match(/<svg[^>]*role="img".*?<\/svg>/g) ?? [];
    expect(strips.map((strip) => strip.match(/<path/g)?.length)).toEqual([3, 3]);
    expect(text).toContain("Heartbeat Missed Before the first heartbeat Show as a table : Uptime of the last 7 days");
    expect(text).toContain("13 Nov 14 Nov 15 Nov 16 Nov 17 Nov 18 Nov 19 Nov 20 Nov");
  });

  test("shows the last heartbeat with its machine, both strips in words, and the refused ones with reasons", async () => {
    const { visitor, token } = await visitMember();
    const { deviceKey } = await api.read(registerDevice, { token, body: { name: "attic" } });
    const beats = [ago(0), ago(2 * HOUR), ago(3 * HOUR), ago(-HOUR), { timestamp: "2019-03-01T00:00:00Z" }];
    await api.read(sendHeartbeats, { token: deviceKey, body: { beats } });

    const { text } = await readPage(visitor, "/agentinsights");
    expect(text).toMatch(/Beating .*20 Nov 2026, 12:07 UTC from attic/);
    expect(text).toMatch(
      /Uptime since the first heartbeat 23,07 % longest gap 1 hour 45 minutes, from 20 Nov 2026, 10:15 UTC/,
    );
    expect(text).not.toMatch(/since the first heartbeat .*since the first heartbeat/);
    expect(text).toContain("A heartbeat in 23,07 % of the spans of 15 minutes; the longest gap is 1 hour 45 minutes.");
    expect(text).toMatch(/20 Nov, 10:15 UTC 20 Nov, 12:00 UTC 1 hour 45 minutes Missed/);
    expect(text).toContain("2 refused heartbeats");
    expect(text).toMatch(
      /60 seconds in the future\. .*claimed 20 Nov 2026, 13:07 UTC\s+received 20 Nov 2026, 12:07 UTC\s+from attic/,
    );
    expect(text).toMatch(/more than 7 days old and no longer counts\. claimed 1 Mar 2019, 00:00 UTC/);
  });

  test("shows a node as silent if its last heartbeat was half an hour ago", async () => {
    const { visitor, token } = await visitMember();
    await api.read(sendHeartbeats, { token, body: { beats: [ago(HOUR / 2)] } });
    const { text } = await readPage(visitor, "/agentinsights");
    expect(text).toContain("Your node Node: Silent");
    expect(text).toContain("No heartbeat was refused recently.");
  });

  test("shows each figure of the jobs under its own name", async () => {
    const { visitor } = await visitMember();
    const sums = { total_jobs: 3, total_jobs_points: 7.5, result_size: 4500 };
    const items = { profiles_amount: 11, comments_amount: 12, posts_amount: 13 };
    pages.override(readDataStats, () => Response.json({ ...sums, ...items }));
    const nothing = { date: "2026-11-19", jobs: 0, points: 0, resultSize: 0, profiles: 0, comments: 0, posts: 0 };
    const some = { date: "2026-11-20", jobs: 2, points: 2.5, resultSize: 1500, profiles: 4, comments: 5, posts: 6 };
    pages.override(readDailyJobs, () => Response.json({ data: [nothing, some] }));
    pages.override(readNetworkJobs, () => Response.json({ data: [nothing] }));
    const { text } = await readPage(visitor, "/agentinsights");
    for (const words of [
      "Jobs 3 finished, all time Points from jobs 7,5 all time, in the category Others Result size 4,5 kB sent",
      "Profiles 11 gathered, all time Comments 12 gathered, all time Posts 13 gathered, all time",
      "Jobs 2 in all",
      "Points 2,5 in all",
      "Result size 1,5 kB in all",
      "Profiles 4 in all",
      "Comments 5 in all",
      "Posts 6 in all",
      "2,5 in 2 days; the most is 2,5, on 20 Nov.",
      "Day Jobs Points Result size, bytes Profiles Comments Posts 19 Nov 0 0 0 0 0 0 20 Nov 2 2,5 1.500 4 5 6",
      "The whole network, last 30 days No jobs on these days No node has finished a job on these days.",
    ])
      expect(text).toContain(words);

    pages.override(readDailyJobs, () => Response.json({ data: [some] }));
    expect((await readPage(visitor, "/agentinsights")).text).toContain("2,5 in 1 day; the most is 2,5, on 20 Nov.");
  });

  test("shows the rest of the page if the uptime fails to load", async () => {
    const { visitor } = await visitMember();
    pages.override(readUptime, () => Response.error());
    const { status, text } = await readPage(visitor, "/agentinsights");
    expect(status).toBe(200);
    expect(text).toContain("Your node Could not be loaded");
    expect(text).toContain("finished, all time");
  });
});
