import { administer } from "../administration/service.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import type { WebhookHeaders } from "../webhooks/contract.ts";
import { storeIncomingMessage } from "../webhooks/queries.ts";
import { countRecorded, MESSAGES, recordNoted } from "./completions.ts";
import type { Completions, CompletionOutcome } from "./contract.ts";
import { formatCount } from "../format-count.ts";

type Message = { headers: WebhookHeaders; body: Completions };

const DONE = new Set<CompletionOutcome>(["recorded", "already"]);

/**
 * Records the completions of a message whose signature was checked, once: the unique key of its id decides. Records all
 * of them or none. If none, the id is not used up, so that the message can be sent again when the cause is fixed.
 * Throws VALIDATION_ERROR with each completion that cannot be recorded.
 */
export async function receiveCompletions(deps: Pick<Deps, "db" | "now">, { headers, body }: Message) {
  const id = headers["webhook-id"];
  const act = { actor: { kind: "webhook" as const }, reason: `Reported from outside, in message ${id}` };
  return administer(deps, act, async (tx, note, at) => {
    if (!(await storeIncomingMessage(tx, { id, receivedAt: at }))) return { recorded: 0, duplicate: true };
    const outcomes = await recordNoted(tx, note, { ...body, at, details: { message: id } });
    requireAll(outcomes);
    return { recorded: countRecorded(outcomes), duplicate: false };
  });
}

function requireAll(outcomes: CompletionOutcome[]) {
  const refused = outcomes.flatMap((outcome, index): [string, string[]][] =>
    DONE.has(outcome) ? [] : [[`completions.${index}`, [MESSAGES[outcome]]]],
  );
  if (refused.length === 0) return;
  const all = formatCount(outcomes.length, "completion");
  const message = `Nothing was recorded: ${refused.length} of ${all} cannot be.`;
  throw new AppError("VALIDATION_ERROR", message, { fields: Object.fromEntries(refused) });
}
