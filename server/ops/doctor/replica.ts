import type { Client } from "pg";
import { queryServer } from "../../db/prepare-server.ts";
import {
  PRIMARY_QUERY,
  REPLICA_QUERY,
  findObstacle,
  PrimaryState,
  ReplicaState,
  toNumber,
} from "../../db/replica-state.ts";
import { describeBytes } from "../backup/manifest.ts";
import { createOpsLog } from "../ops-log.ts";
import { explain, type Check, type Examination } from "./check.ts";

const log = createOpsLog("silent");
const NAME = "replica";
const TIMEOUT_MS = 3_000;
/** How far behind the primary's log the replica may be without a warning, in bytes. A busy one always lags a little. */
const USUAL = 64 * 1024 * 1024;

const MEANWHILE = "Members' reads come from the primary meanwhile. ";

/**
 * Checks the replica for members' reads: whether it belongs to this database, receives its log and keeps up with it.
 */
export const replica: Examination = {
  name: NAME,
  async examine({ env: { apiUrl, databaseReadUrl, databaseUrl } }) {
    if (apiUrl || !databaseUrl || !databaseReadUrl) return [];
    const primary = await queryServer(databaseUrl, TIMEOUT_MS, log, async (client) =>
      PrimaryState.parse(await queryRow(client, PRIMARY_QUERY)),
    );
    try {
      return await queryServer(databaseReadUrl, TIMEOUT_MS, log, async (client) => [
        judge(await readState(client), primary),
      ]);
    } catch (error) {
      return [warning(explain(error).replace("Check DATABASE_URL.", ""), "Check DATABASE_READ_URL.")];
    }
  },
};

async function readState(client: Client) {
  const state = ReplicaState.parse(await queryRow(client, REPLICA_QUERY));
  const { rows } = await client.query<{ count: number }>("select count(*)::integer from pg_stat_wal_receiver");
  return { ...state, isReceiving: rows[0]?.count === 1 };
}

function judge(state: ReplicaState & { isReceiving: boolean }, primary: PrimaryState): Check {
  const obstacle = findObstacle(state, primary.origin);
  if (obstacle) return { ...warning(obstacle, "Set DATABASE_READ_URL to a streaming replica."), state: "broken" };
  const behind = Math.max(0, Number(toNumber(primary.position) - toNumber(state.position ?? "0/0")));
  const says = `It is ${describeBytes(behind)} of the primary's log behind.`;
  if (!state.isReceiving)
    return warning(`It receives no log from the primary. ${says}`, "Check its primary_conninfo and its log.");
  if (behind > USUAL) return warning(says, "Check its load, its network, and what delays its replay.");
  return { name: NAME, state: "ok", says };
}

const warning = (says: string, todo: string): Check => ({ name: NAME, state: "warning", says, todo: MEANWHILE + todo });

const queryRow = async (client: Client, text: string) => (await client.query<Record<string, unknown>>(text)).rows[0];
