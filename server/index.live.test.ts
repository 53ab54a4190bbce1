import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { readEventsOf } from "../tests/support/api/event-reader.ts";
import { startPostgres, type TestPostgres } from "../tests/support/database/postgres.ts";
import { startApp, type RunningApp } from "../tests/support/servers/start-app.ts";

let postgres: TestPostgres;
const running: RunningApp[] = [];
beforeAll(async () => {
  postgres = await startPostgres();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((app) => app.close()));
});
afterAll(() => postgres.stop());

async function start(...options: Parameters<typeof startApp>) {
  const app = await startApp(...options);
  running.push(app);
  return app;
}

type Reader = { token: string } | { cookie: { name: string; value: string } };

/** Reads events over a real connection: from the API with a token, or from the pages with a session cookie. */
async function connect(app: RunningApp, reader: Reader, lastEventId = "") {
  const isApi = "token" in reader;
  const headers: Record<string, string> = isApi
    ? { Authorization: `Bearer ${reader.token}` }
    : { Cookie: `${reader.cookie.name}=${reader.cookie.value}` };
  const response = await fetch(`${app.url}${isApi ? "/api/events" : "/live"}`, {
    headers: { ...headers, "Accept-Encoding": "br, gzip", ...(lastEventId && { "Last-Event-ID": lastEventId }) },
  });
  expect([response.status, response.headers.get("Content-Encoding")]).toEqual([200, null]);
  return readEventsOf(response);
}

/**
 * Waits for the event with so many heartbeats. Returns undefined if the stream has ended. At midnight another event
 * comes first.
 */
async function hear({ next }: Pick<ReturnType<typeof readEventsOf>, "next">, heartbeats: number) {
  for (;;) {
    const event = await next();
    if (!event || event.data.stats.heartbeats === heartbeats) return event;
  }
}

/** Returns what an event says has changed, except "content": a new day counts as a change of what nodes gathered. */
const changedBy = (event: Awaited<ReturnType<typeof hear>>) => event?.data.changed.filter((part) => part !== "content");

test("a change reaches readers at every process, and they can resume at another when theirs stops", async () => {
  const [first, second] = await Promise.all([
    start({ databaseUrl: postgres.url }),
    start({ databaseUrl: postgres.url, transport: "http" }),
  ]);
  const { userId, token, cookie } = await first.seed.member({});
  const [atApi, atPages] = [await connect(first, { token }), await connect(second, { cookie })];
  await Promise.all([atApi.next(), atPages.next()]);

  await first.seed.beat(userId, [new Date().toISOString()]);
  const [known] = await Promise.all([hear(atApi, 1), hear(atPages, 1)]);
  expect(changedBy(known)).toEqual(["points", "heartbeats"]);

  await Promise.all([first.close(), hear(atApi, 2).then((event) => expect(event).toBeUndefined())]);
  expect(first.log()).toContain(`"inTime":true`);

  await second.seed.beat(userId, [new Date(Date.now() - 3_600_000).toISOString()]);
  const elsewhere = await connect(second, { token }, known?.id);
  expect(changedBy(await hear(elsewhere, 2))).toEqual(["points", "heartbeats"]);
  expect(await hear(atPages, 2)).toBeDefined();

  // Its pages get their events from a separate server over HTTP. Both must let go of their readers at once.
  await Promise.all([second.close(), hear(elsewhere, 3), hear(atPages, 3)]);
  expect(second.log().match(/"inTime":true/g)).toHaveLength(2);
});

test("a reader who leaves frees their place; a leaving process keeps sending events until it stops", async () => {
  const app = await start();
  const { userId, token, cookie } = await app.seed.member({});
  // More rounds than the ten connections that one member may have at once.
  for (let round = 0; round < 12; round++) {
    const [atApi, atPages] = [await connect(app, { token }), await connect(app, { cookie })];
    expect(await Promise.all([atApi.next(), atPages.next()])).not.toContain(undefined);
    await Promise.all([atApi.leave(), atPages.leave()]);
  }
  const early = await connect(app, { token });
  await early.next();
  await app.seed.leave();
  expect((await fetch(`${app.url}/readyz`)).status).toBe(503);
  const late = await connect(app, { token });
  await late.next();
  await app.seed.beat(userId, [new Date().toISOString()]);
  expect(await hear(early, 1)).toBeDefined();
  expect(await hear(late, 1)).toBeDefined();
  const [ends] = await Promise.all([Promise.all([hear(early, 2), hear(late, 2)]), app.close()]);
  expect(ends).toEqual([undefined, undefined]);
  expect(app.log()).toContain(`"inTime":true`);
});
