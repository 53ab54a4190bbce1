import type { Actor } from "../administration/actor.ts";
import { permit } from "../administration/service.ts";
import type { Deps } from "../deps.ts";
import type { IncomingWebhooks } from "./contract.ts";
import { findMessages } from "./queries.ts";

const SHOWN = 10;

/**
 * Returns whether incoming messages are accepted, and the last ones received. Throws FORBIDDEN and PASSWORD_REQUIRED.
 */
export async function readIncoming(
  { db, env, now }: Pick<Deps, "db" | "env" | "now">,
  actor: Actor,
): Promise<IncomingWebhooks> {
  await permit({ db, now }, actor);
  const found = await findMessages(db, SHOWN);
  return {
    secrets: env.campaignWebhookSecrets?.length ?? 0,
    messages: found.map(({ id, receivedAt }) => ({ id, receivedAt: receivedAt.toISOString() })),
  };
}
