import { withTimeLimit } from "../db/time-budget.ts";
import type { Deps } from "../deps.ts";
import type { Caller } from "../http/endpoint.ts";
import type { Endpoint } from "../http/contract.ts";
import { advanceReadPositions } from "./queries.ts";

/*
 * Members' reads may come from a replica, which lags behind (docs/decisions/0068). Each session keeps a position in the
 * primary's log: a replica may answer only once it has reached that position. A call learns the position when it looks
 * up its session, which it reads from the primary anyway.
 */

export type OwnWritesDeps = Pick<Deps, "db" | "log" | "metrics" | "replica">;

/** How long to wait, in milliseconds, however long the work before it has taken. */
const SHOWN_WITHIN = 300;

type EndpointCall = { endpoint: Pick<Endpoint, "mayLag" | "method">; caller: Caller | undefined };

/**
 * Does the work of a call on the replica if that may answer it and has what the caller must see, otherwise on the
 * primary. Makes sure that the member's next reads see what the call may have written, whichever process answers them.
 */
export async function runAfterOwnWrites<Answer>(
  deps: OwnWritesDeps,
  { caller, endpoint }: EndpointCall,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (!deps.replica || !caller?.sessionId) return work();
  if (endpoint.mayLag) return read(deps, caller, work);
  if (endpoint.method === "GET") return work();
  try {
    return await work();
  } finally {
    // Also after a refusal, because counting attempts is a write.
    await tryToRequireFreshReads(deps, caller.userId);
  }
}

async function read<Answer>(
  { log, metrics, replica }: OwnWritesDeps,
  { readsFrom }: Caller,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const found = replica && readsFrom ? await replica.has(readsFrom) : "behind";
  if (!replica || found !== "there") {
    metrics.countRead(found === "away" ? "away" : "behind");
    return work();
  }
  try {
    const answer = await replica.read(work);
    metrics.countRead("answered");
    return answer;
  } catch (err) {
    // Falls back after a refusal too: the primary may know better.
    log.debug({ err }, "The replica did not answer");
    metrics.countRead("failed");
    return work();
  }
}

/** Makes members' next reads see everything written by now, wherever they are answered. */
export async function requireFreshReads({ db, replica }: Pick<Deps, "db" | "replica">, userIds: readonly string[]) {
  if (replica && userIds.length > 0) await advanceReadPositions(db, userIds);
}

/**
 * Does the same for one member, but only logs a failure: the work before it stays done, and its result must still be
 * returned.
 */
export async function tryToRequireFreshReads(
  deps: Pick<Deps, "db" | "log" | "replica">,
  userId: string,
): Promise<void> {
  try {
    await withTimeLimit(SHOWN_WITHIN, () => requireFreshReads(deps, [userId]));
  } catch (err) {
    deps.log.warn({ err }, "What a member has written may be late for them");
  }
}
