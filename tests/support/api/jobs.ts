import { eq } from "drizzle-orm";
import type { ChainGateway } from "../../../server/chain/chain-gateway.ts";
import { createChainWork } from "../../../server/chain/worker.ts";
import { createErasure, ERASE_ACCOUNT, type EraseDeps } from "../../../server/account-data/erase.ts";
import type { AuthProvider } from "../../../server/auth/provider/auth-provider.ts";
import { createEmbeddedProvider } from "../../../server/auth/provider/embedded.ts";
import { accountDeletions, sessions } from "../../../server/db/schema.ts";
import type { Deps } from "../../../server/deps.ts";
import type { JobKinds } from "../../../server/jobs/job.ts";
import { enqueue, leaseDueJobs } from "../../../server/jobs/queries.ts";
import { runJob, type JobDeps } from "../../../server/jobs/run-job.ts";
import { createDelivery, type Delivery } from "../../../server/mail/deliver.ts";

/** Takes the due jobs of some kinds once, as a process does, and runs them. Returns the outcome of each. */
export async function runDue(deps: JobDeps, kinds: JobKinds) {
  const { db, now } = deps;
  const taken = await leaseDueJobs(db, { kinds, inHand: [], now: now() });
  return Promise.all(
    taken.map(async (job) => {
      const kind = kinds[job.kind];
      if (!kind) throw new Error(`Nobody asked for a job of the kind ${job.kind}`);
      return runJob(deps, kind, job);
    }),
  );
}

export type DeliveryDeps = Pick<Deps, "db" | "log" | "metrics" | "now" | "outbox">;

/** Sends the emails that are due, at most one batch. Returns how many it took. */
export const deliverDue = async (deps: DeliveryDeps, delivery: Delivery): Promise<number> =>
  (await runDue(deps, createDelivery(deps, delivery))).length;

/** Takes each due deletion one step further. Returns how many were completed. */
export const eraseDueAccounts = async (deps: EraseDeps, provider: Pick<AuthProvider, "release">): Promise<number> =>
  (await runDue(deps, createErasure(deps, provider))).filter((outcome) => outcome === "done").length;

/** Deletes an account as if its grace period and its sessions were over. */
export async function eraseAtOnce(deps: EraseDeps & Parameters<typeof createEmbeddedProvider>[0], userId: string) {
  const over = new Date(0);
  await deps.db.delete(sessions).where(eq(sessions.userId, userId));
  await deps.db.insert(accountDeletions).values({ userId, requestedAt: over, dueAt: over, closedAt: over });
  await enqueue(deps.db, { kind: ERASE_ACCOUNT, key: userId, dueAt: over });
  if ((await eraseDueAccounts(deps, createEmbeddedProvider(deps))) !== 1) throw new Error("The account is still there");
}

/**
 * A chain whose work runs when a test wants it. `advance` takes each due job one step further, and returns how many.
 */
export type TestChain = ChainGateway & { advance(): Promise<number> };

export const withAdvance = (deps: JobDeps, chain: ChainGateway): TestChain => ({
  ...chain,
  async advance() {
    await chain.check();
    return (await runDue(deps, createChainWork(chain))).length;
  },
});
