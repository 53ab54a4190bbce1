import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { seedMember } from "../../tests/support/api/api.ts";
import { readEventsOf } from "../../tests/support/api/event-reader.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { sendHeartbeats } from "../heartbeats/contract.ts";
import { createLog } from "../log/log.ts";
import { readSessions } from "../sessions/contract.ts";
import { openReplica } from "../sessions/own-writes.fixture.ts";
import { createLiveStreams } from "./service.ts";

// The clock stands still, because a new day would be news to every reader.
const { api, clock, database } = await openTestApi();

/** Times as short as a test can tell apart. */
const RULES = { every: 10, quiet: 30, age: 60_000, retry: 1000, backlog: 3, perMember: 2, inAll: 3 };

async function watcher() {
  const { token, user } = await seedMember(api.deps);
  const { sessions } = await api.read(readSessions, { token });
  return { userId: user.id, sessionId: sessions[0]?.id ?? "", token };
}

test("limits the streams of one member and of all members together", async () => {
  const [ana, ben, eve] = [await watcher(), await watcher(), await watcher()];
  const streams = createLiveStreams(api.deps, RULES);
  const opened = [await streams.open(ana), await streams.open(ana)];

  await expect(streams.open(ana)).rejects.toMatchObject({ code: "TOO_MANY_ATTEMPTS", retryAfter: 30 });
  opened.push(await streams.open(ben));
  await expect(streams.open(eve)).rejects.toMatchObject({ code: "UNAVAILABLE" });

  await opened[0]?.cancel();
  opened.push(await streams.open(eve));
  await Promise.all(opened.slice(1).map((events) => events.cancel()));
});

test("sends keep-alive comments while nothing happens", async () => {
  const streams = createLiveStreams(api.deps, RULES);
  const { nextBlock, leave } = readEventsOf(new Response(await streams.open(await watcher())));

  expect(await nextBlock()).toMatch(/^retry/);
  expect(await nextBlock()).toMatch(/^id/);
  expect(await nextBlock()).toBe(":");
  expect(await nextBlock()).toBe(":");
  await leave();
});

test("logs late updates once a minute, and still sends keep-alive comments", async () => {
  const said: string[] = [];
  const log = createLog({ level: "warn", destination: { write: (line: string) => void said.push(line) } });
  let isAway = false;
  const now = () => {
    if (isAway) throw new Error("No answer");
    return clock.now();
  };
  const streams = createLiveStreams({ ...api.deps, log, now }, RULES);
  const { nextBlock, leave } = readEventsOf(new Response(await streams.open(await watcher())));
  isAway = true;
  expect(await nextBlock()).toMatch(/^retry/);
  expect(await nextBlock()).toMatch(/^id/);
  for (let signs = 0; signs < 3; signs += 1) expect(await nextBlock()).toBe(":");
  await leave();
  expect(said).toHaveLength(1);
});

test("opens while the database takes no writes, even with a replica for reads", async () => {
  const member = await watcher();
  const replica = openReplica(database, "postgres://127.0.0.1:1/nowhere");
  await database.db.execute(sql`
    create function refuse_write() returns trigger language plpgsql as $$ begin raise sqlstate '25006'; end $$`);
  await database.db.execute(sql`
    create trigger refuse_write before update on sessions for each statement execute function refuse_write()`);
  onTestFinished(async () => {
    await replica.close();
    await database.db.execute(sql`drop function refuse_write cascade`);
  });
  const streams = createLiveStreams({ ...api.deps, replica }, RULES);
  const { next, leave } = readEventsOf(new Response(await streams.open(member)));
  expect(await next()).toMatchObject({ data: { changed: [] } });
  await leave();
});

test("ends once it has reached its maximum age", async () => {
  const streams = createLiveStreams(api.deps, { ...RULES, age: 1 });
  const { next } = readEventsOf(new Response(await streams.open(await watcher())));

  expect(await next()).toMatchObject({ data: { changed: [] } });
  expect(await next()).toBeUndefined();
});

test.each(["revoked_at", "expires_at"])(
  "ends with its session, by its %s, and tells the reader to reconnect at once to learn why",
  async (end) => {
    const streams = createLiveStreams(api.deps, { ...RULES, quiet: 60_000 });
    const { next, nextBlock } = readEventsOf(new Response(await streams.open(await watcher())));
    await next();
    await database.db.execute(sql`update sessions set ${sql.identifier(end)} = ${clock.now().toISOString()}`);
    expect([await nextBlock(), await nextBlock()]).toEqual(["retry: 0", undefined]);
  },
);

test("drops a reader who does not keep up, without holding up another", async () => {
  const member = await watcher();
  // Comments would fill the backlog as well, at their own pace.
  const streams = createLiveStreams(api.deps, { ...RULES, quiet: 60_000 });
  await streams.open(member);
  const attentive = readEventsOf(new Response(await streams.open(member)));

  await expect(streams.open(member)).rejects.toMatchObject({ code: "TOO_MANY_ATTEMPTS" });
  await attentive.next();
  for (let minutes = 0; minutes < 4; minutes++) {
    const timestamp = new Date(clock.now().getTime() - minutes * 20 * 60_000).toISOString();
    await api.read(sendHeartbeats, { token: member.token, body: { beats: [{ timestamp }] } });
    expect((await attentive.next())?.data.changed).toContain("heartbeats");
  }

  const next = await streams.open(member);
  expect(next).toBeInstanceOf(ReadableStream);
  await Promise.all([next.cancel(), attentive.leave()]);
});
