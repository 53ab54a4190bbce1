import type { Definition } from "../cache/read.ts";
import * as insights from "../agent-insights/reads.ts";
import * as legal from "../legal/reads.ts";
import * as machineId from "../machine-id/reads.ts";
import * as member from "../member/reads.ts";
import * as nodePass from "../node-pass/reads.ts";
import * as points from "../points/reads.ts";
import * as profile from "../profile/reads.ts";
import * as referrals from "../referrals/reads.ts";
import * as rewards from "../rewards/reads.ts";
import * as startNode from "../start-node/reads.ts";
import * as wallet from "../wallet/reads.ts";

type AnyDefinition = Definition<never, unknown>;

const FEATURES = [insights, legal, machineId, member, nodePass, points, profile, referrals, rewards, startNode, wallet];

/** Everything that the browser may read, by its address. The read proxy reaches nothing else. */
export const READS: ReadonlyMap<string, AnyDefinition> = new Map(
  FEATURES.flatMap((feature) => Object.values<unknown>(feature))
    .filter(isDefinition)
    .map((definition) => [definition.path, definition]),
);

function isDefinition(value: unknown): value is AnyDefinition {
  return typeof value === "function" && "source" in value;
}
