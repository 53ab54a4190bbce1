import { fork } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createTestClock } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { openWebhooks, SESSION_SECRET } from "../../tests/support/api/webhooks.ts";
import { backgroundJobs } from "../db/schema.ts";
import type { DelivererSettings } from "./deliverer.fixture.ts";

/* Pauses and resumes a webhook while two other processes send it messages. */

const PROCESSES = 2;
/** The most messages to one webhook that a process sends at once, plus one from the backlog. */
const IN_HAND = 5;

const database = await createTestDatabase();
const { db } = database;
const hooks = await openWebhooks(database, createTestClock(new Date()));
const { add, happenAll, list, pause, receiver, resume, subjectsReceived } = hooks;
const fixture = new URL("./deliverer.fixture.ts", import.meta.url);
const settings: DelivererSettings = {
  databaseUrl: database.pool.options.connectionString ?? "",
  sessionSecret: SESSION_SECRET,
  ca: receiver.ca,
};
const processes = Array.from({ length: PROCESSES }, () =>
  fork(fixture, [JSON.stringify(settings)], { execArgv: [], stdio: ["ignore", "inherit", "inherit", "ipc"] }),
);

beforeEach(() => hooks.reset());

afterAll(async () => {
  for (const each of processes) each.send("end");
  const ends = await Promise.all(processes.map((each) => once(each, "exit")));
  await hooks.close();
  if (ends.some(([code]) => code !== 0)) throw new Error(`A process ended with ${JSON.stringify(ends)}`);
});

const name = (from: number, count: number) => Array.from({ length: count }, (_, index) => `member-${from + index}`);

const listEnds = async (id: string) => (await list(id)).map(({ attempts, state }) => `${state} ${attempts}`);

/** Waits until no message is on its way: each is delivered, or waits for a pause to end. */
async function untilQuiet() {
  await expect.poll(() => db.$count(backgroundJobs), { interval: 20 }).toBe(0);
}

/** Runs `work` as soon as this many messages have arrived, before the last of them is answered. */
function atMessage<Result>(count: number, work: () => Promise<Result>): Promise<Result> {
  const { promise, resolve } = Promise.withResolvers<Result>();
  receiver.answer((response) => {
    if (receiver.received.length === count) {
      const working = work();
      resolve(working);
      void working.finally(() => response.end("ok"));
    } else response.end("ok");
  });
  return promise;
}

test.each([1, IN_HAND, 20])(
  "paused at message %i, it gets only messages already in hand, and the rest in order once resumed",
  async (count) => {
    const { id } = await add();
    const [before, meanwhile, after] = [name(0, 24), name(24, 12), name(36, 6)];
    const paused = atMessage(count, () => pause(id).then(() => receiver.received.length));
    await happenAll(before);
    const sentBefore = await paused;
    await happenAll(meanwhile);
    await untilQuiet();
    const sent = subjectsReceived();
    expect(sent.length - sentBefore).toBeLessThanOrEqual(PROCESSES * IN_HAND);
    expect(sent.filter((subject) => meanwhile.includes(subject))).toEqual([]);
    expect((await list(id)).filter(({ state }) => state === "delivered")).toHaveLength(sent.length);

    await Promise.all([resume(id), happenAll(after)]);
    await untilQuiet();
    const all = [...before, ...meanwhile, ...after];
    const inOrder = subjectsReceived()
      .slice(sent.length)
      .filter((subject) => !after.includes(subject));
    expect(inOrder).toEqual([...before, ...meanwhile].filter((subject) => !sent.includes(subject)));
    expect(subjectsReceived().toSorted()).toEqual(all.toSorted());
    expect(await listEnds(id)).toEqual(all.map(() => "delivered 1"));
  },
);

test("a webhook that is paused and resumed repeatedly receives each event exactly once", async () => {
  const { id } = await add();
  const all = name(0, 80);
  const [first, second] = [all.slice(0, 40), all.slice(40)];
  async function toggle() {
    for (let round = 0; round < 25; round += 1) {
      await pause(id);
      await resume(id);
    }
  }
  await Promise.all([happenAll(first), happenAll(second), toggle()]);
  await untilQuiet();
  expect(subjectsReceived().toSorted()).toEqual(all.toSorted());
  expect(await listEnds(id)).toEqual(all.map(() => "delivered 1"));
});
