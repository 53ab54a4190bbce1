import { answerWithin } from "../db/patience.ts";
import type { Deps } from "../deps.ts";
import type { Caller } from "../http/endpoint.ts";
import type { Endpoint } from "../http/contract.ts";
import { readFromNow } from "./queries.ts";

/*
 * Members' reads may come from a replica, which is behind (docs/decisions/0068). Each session keeps from which position
 * of the primary's log on it may: who asks has it from the look at their session, which is the primary's anyway.
 */

export type OwnWritesDeps = Pick<Deps, "db" | "log" | "metrics" | "replica">;

/** Milliseconds, whatever the work before it has taken. */
const SHOWN_WITHIN = 300;

type Asked = { endpoint: Pick<Endpoint, "mayLag" | "method">; caller: Caller | undefined };

/**
 * Does the work of a call: on the replica where that may answer and has what the caller is to see, otherwise on the
 * primary. What a call may have written, its member's next reads see, whichever process answers them.
 */
export async function answerAfterOwnWrites<Answer>(
  deps: OwnWritesDeps,
  { caller, endpoint }: Asked,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (!deps.replica || !caller?.sessionId) return work();
  if (endpoint.mayLag) return read(deps, caller, work);
  if (endpoint.method === "GET") return work();
  try {
    return await work();
  } finally {
    // Also after a refusal: what counts attempts has written.
    await tryToShowNews(deps, caller.userId);
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
    // A refusal as well: the primary may know better.
    log.debug({ err }, "The replica did not answer");
    metrics.countRead("failed");
    return work();
  }
}

/** Has the reads of members see all that there is by now, wherever they are answered. */
export async function showNews({ db, replica }: Pick<Deps, "db" | "replica">, userIds: readonly string[]) {
  if (replica && userIds.length > 0) await readFromNow(db, userIds);
}

/** The same where something else has been done that stays done, and is to be told of. */
export async function tryToShowNews(deps: Pick<Deps, "db" | "log" | "replica">, userId: string): Promise<void> {
  try {
    await answerWithin(SHOWN_WITHIN, () => showNews(deps, [userId]));
  } catch (err) {
    deps.log.warn({ err }, "What a member has written may be late for them");
  }
}
