import { administratorIdOf, type Act } from "../administration/actor.ts";
import { findMembersByName } from "../administration/members.ts";
import { administer, type Note } from "../administration/service.ts";
import type { Tx } from "../db/client.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import type { Completion, CompletionOutcome, CompletionResults, Completions } from "./contract.ts";
import * as queries from "./queries.ts";
import { stateOf } from "./service.ts";

type CompletionDeps = Pick<Deps, "db" | "now">;

/** How far ahead another clock may be, in milliseconds. */
const AHEAD = 5 * 60_000;

export const MESSAGES: Record<CompletionOutcome, string> = {
  recorded: "Recorded.",
  already: "This was recorded before.",
  "unknown-member": "No member has this address or id.",
  "unknown-campaign": "There is no such campaign.",
  "not-running": "The campaign was not running at that time.",
  "in-future": "That time is in the future.",
  own: "This is your own account: another administrator has to record it.",
  invalid: "That is not a completion.",
};

/** When it is recorded, and by which administrator: nobody can give themselves what a campaign pays. */
type Recording = { at: Date; recorder?: string | null };
type Judged = { outcome: CompletionOutcome; row?: queries.SubmissionRow };
type Named = Pick<queries.SubmissionRow, "userId" | "campaignId">;

/**
 * Records that members did what campaigns ask, each once, and returns the outcome of each in their order. A completion
 * counts if it was done while its campaign ran, whenever it is reported.
 */
async function record(tx: Tx, completions: readonly Completion[], { at, recorder }: Recording) {
  const memberOf = await findMembersByName(tx, [...new Set(completions.map(({ member }) => member))], "share");
  const campaigns = await queries.lockCampaigns(tx, [...new Set(completions.map(({ campaignId }) => campaignId))]);
  const campaignOf = new Map(campaigns.map((campaign) => [campaign.id, campaign]));

  function judge({ member: name, campaignId, completedAt: given }: Completion): Judged {
    const [member, campaign] = [memberOf(name), campaignOf.get(campaignId)];
    if (!member) return { outcome: "unknown-member" };
    if (!campaign) return { outcome: "unknown-campaign" };
    const givenAt = given === undefined ? at : new Date(given);
    const completedAt = givenAt < at ? givenAt : at;
    const row = { userId: member.id, campaignId, completedAt };
    if (member.id === recorder) return { outcome: "own", row };
    if (givenAt.getTime() > at.getTime() + AHEAD) return { outcome: "in-future", row };
    return { outcome: stateOf(campaign, completedAt) === "running" ? "already" : "not-running", row };
  }

  const judged = completions.map(judge);
  const rowsOf = (isRefused: boolean) =>
    judged.flatMap(({ outcome, row }) => (row && isRefused === (outcome !== "already") ? row : []));
  const recorded = new Set((await queries.findSubmissions(tx, rowsOf(true))).map(keyOf));
  const added = await queries.insertSubmissions(tx, rowsOf(false));
  const isNew = new Set(added.map(keyOf));
  const outcomes = judged.map(({ outcome, row }): CompletionOutcome => {
    if (!row) return outcome;
    // If a batch has the same completion twice, the first one counts.
    if (outcome === "already") return isNew.delete(keyOf(row)) ? "recorded" : outcome;
    // A completion that cannot be recorded now may have been recorded before.
    return recorded.has(keyOf(row)) ? "already" : outcome;
  });
  return { added, outcomes };
}

const keyOf = ({ userId, campaignId }: Named) => `${userId} ${campaignId}`;

/** Records that a member completed a campaign at a given time. A repeated call changes nothing. Throws NOT_FOUND. */
export async function completeCampaign(
  tx: Tx,
  { userId, campaignId, at }: { userId: string; campaignId: string; at: Date },
): Promise<void> {
  const { outcomes } = await record(tx, [{ member: userId, campaignId }], { at });
  if (outcomes[0] === "unknown-campaign") throw new AppError("NOT_FOUND", MESSAGES["unknown-campaign"]);
}

/** Records completions in the caller's transaction, with an audit log entry for each new one. */
export async function recordNoted(
  tx: Tx,
  note: Note,
  { completions, details, ...recording }: Completions & Recording & { details: Record<string, unknown> },
): Promise<CompletionOutcome[]> {
  const { added, outcomes } = await record(tx, completions, recording);
  await note(
    ...added.map(({ userId, campaignId, completedAt }) => ({
      action: "completion.recorded" as const,
      subject: "member" as const,
      subjectId: userId,
      details: { campaignId, completedAt: completedAt.toISOString(), ...details },
    })),
  );
  return outcomes;
}

/**
 * Records completions in one transaction. One that cannot be recorded does not affect the others. Throws FORBIDDEN and
 * PASSWORD_REQUIRED.
 */
export async function recordCompletions(
  deps: CompletionDeps,
  act: Act,
  { completions }: Completions,
): Promise<CompletionResults> {
  const recorder = administratorIdOf(act.actor);
  const outcomes = await administer(deps, act, (tx, note, at) =>
    recordNoted(tx, note, { completions, at, recorder, details: {} }),
  );
  const results = outcomes.map((outcome) => ({ outcome, message: MESSAGES[outcome] }));
  return { recorded: countRecorded(outcomes), results };
}

export const countRecorded = (outcomes: readonly CompletionOutcome[]): number =>
  outcomes.filter((outcome) => outcome === "recorded").length;
