import { eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { uuidv7 } from "uuidv7";
import { keccak256, toHex } from "viem";
import type { Job } from "../../../server/chain/chain-gateway.ts";
import { CHAIN } from "../../../server/chain/submit.ts";
import { backgroundJobs, chainJobs } from "../../../server/db/schema.ts";
import type { Deps } from "../../../server/deps.ts";
import { seedMember } from "../api/api.ts";
import { accountAt } from "./anvil.ts";

/** Adds a job as an earlier process left it, and gives this process the lease. */
export async function beginJob(deps: Deps, left: Partial<Job>) {
  const { chain, db, now } = deps;
  const { user } = await seedMember(deps);
  const id = uuidv7();
  const consent = { consentDigest: keccak256(toHex(id)), consentNonce: "1", consentSignature: "0x00" };
  const job = { kind: "deploy", state: "queued", stationNonce: "7", createdAt: now() } as const;
  const owner = accountAt(4).address.toLowerCase();
  await db.insert(chainJobs).values({ id, userId: user.id, owner, ...consent, ...job, ...left });
  const lease = { kind: CHAIN, key: id, lease: randomUUID() };
  await db.insert(backgroundJobs).values({ ...lease, dueAt: now() });
  return {
    id,
    userId: user.id,
    lease,
    /** Takes the job as far as it goes. */
    work: () => chain.work({ ...lease, payload: null, attempts: 1 }),
    async read(): Promise<Job> {
      const [found] = await db.select().from(chainJobs).where(eq(chainJobs.id, id));
      if (!found) throw new Error("The job is gone");
      return found;
    },
    /** Deletes the job, as if its member had left. */
    remove: () => db.delete(chainJobs).where(eq(chainJobs.id, id)),
    /** Lets another process take over the job. */
    lose: () => db.update(backgroundJobs).set({ lease: randomUUID() }).where(eq(backgroundJobs.key, id)),
  };
}
