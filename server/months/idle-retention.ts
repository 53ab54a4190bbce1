import type { Env } from "../env.ts";

/** The settings for how many months of a table to keep. */
const RETENTIONS = [
  ["HEARTBEAT_RETENTION_MONTHS", "heartbeatRetentionMonths", "heartbeats"],
  ["LEDGER_RETENTION_MONTHS", "ledgerRetentionMonths", "points_ledger"],
] as const;

/**
 * Returns the settings that have no effect because their table is not divided by month: only whole months can be
 * removed.
 */
export const findIdleRetentions = (env: Pick<Env, (typeof RETENTIONS)[number][1]>, undivided: string[]): string[] =>
  RETENTIONS.flatMap(([setting, key, table]) => (env[key] !== undefined && undivided.includes(table) ? [setting] : []));
