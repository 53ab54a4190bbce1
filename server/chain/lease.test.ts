import { expect, test } from "vitest";
import { createAccount, seedChainMember } from "../../tests/support/chain/chain-member.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { releaseAllLeases, leaseDueJobs } from "../jobs/queries.ts";
import { changeJob, findJob } from "./jobs.queries.ts";
import { createChainWork } from "./worker.ts";

const { api, clock } = await openTestApi();
const { db } = api.deps;
const { chain } = api.deps;

async function take() {
  const [job] = await leaseDueJobs(db, { kinds: createChainWork(chain), now: clock.now(), inHand: [] });
  if (!job) throw new Error("No job of the chain is due");
  return job;
}

const WAYS: [string, () => Promise<void>][] = [
  ["its time was over", async () => clock.advance(60_000)],
  ["it was released at a start", () => releaseAllLeases(db, clock.now())],
];

test.for(WAYS)("the former holder of a job that was taken over cannot change it: %s", async ([, pass]) => {
  await createAccount(api, await seedChainMember(api.deps));
  const former = await take();
  await pass();
  const present = await take();

  await expect(chain.work(former)).rejects.toThrow("the lease of this job is over");
  const job = await findJob(db, former.key);
  if (!job) throw new Error("The job of the chain is gone");
  expect(job.state).toBe("queued");
  expect(await changeJob({ db, lease: former }, job, { state: "failed" })).toBeUndefined();
  expect(await findJob(db, former.key)).toEqual(job);

  await chain.work(present);
  expect(await findJob(db, present.key)).toMatchObject({ state: "finalized" });
  // If it is taken once more, there is nothing left to do.
  expect(await chain.work(present)).toBeUndefined();
});
