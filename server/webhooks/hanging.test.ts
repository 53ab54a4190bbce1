import type { ServerResponse } from "node:http";
import { afterAll, expect, test } from "vitest";
import { openWebhooks } from "../../tests/support/api/webhooks.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { WEBHOOK } from "../announcements/announce.queries.ts";
import type { Job } from "../jobs/job.ts";
import { createWaker } from "../jobs/waker.ts";
import { startWorker } from "../jobs/worker.ts";
import { createWebhookDelivery } from "./deliver.ts";

const HOUR = 60 * 60_000;
const SOON = { timeout: 20_000, interval: 10 };

const hooks = await openWebhooks(await createTestDatabase());
const { add, deps, happen, happenAll, list, receiver } = hooks;
afterAll(() => hooks.close());

test("webhooks that hang, with long queues, hold up no other webhook and keep no process busy", async () => {
  for (let index = 0; index < 5; index += 1) await add(["member.verified"], `${receiver.url}/hangs/${index}`);
  const { id } = await add(["reward.claimed"], `${receiver.url}/answers`);
  await happenAll(Array.from({ length: 40 }, (_, index) => `member-${index}`));
  const hanging: ServerResponse[] = [];
  receiver.answer(
    (response, { url }) => void (url?.endsWith("/answers") ? response.end("ok") : hanging.push(response)),
  );

  const begun: string[] = [];
  const kinds = createWebhookDelivery(deps, { ca: receiver.ca, timeout: HOUR });
  const run = (job: Job) => (begun.push(job.key), kinds[WEBHOOK].run(job));
  const counting = { ...kinds, [WEBHOOK]: { ...kinds[WEBHOOK], run } };
  const options = { kinds: counting, schedules: {}, alone: true, pollInterval: 10 };
  const stop = startWorker({ ...deps, jobs: createWaker() }, options);
  try {
    await expect.poll(() => hanging.length, SOON).toBe(20);
    await happen("ada", "reward.claimed");
    await expect.poll(() => list(id), SOON).toMatchObject([{ state: "delivered" }]);
    expect(hanging).toHaveLength(20);
    expect(begun).toHaveLength(21);
  } finally {
    const stopped = stop();
    receiver.reset();
    for (const response of hanging) response.end("ok");
    await stopped;
  }
});
