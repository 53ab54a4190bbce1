/**
 * The version that runs while this one is rolled out: it must continue to work with this one's schema. Each release
 * enters its own commit, its last migration and the time its tests run at, and empties the lists below.
 */
export const PREVIOUS = {
  commit: "cc2a20140bf1488eb3f5b56203e501c020475788",
  lastMigration: "0015_operations",
  /** Where `createTestClock` starts: the tables partitioned by month have room around it, as they had then. */
  testsAt: "2026-11-20T12:00:00.000Z",
};

/**
 * Statements of newer migrations that remove what the previous version no longer uses, copied from the file, each with
 * the version that stopped using it.
 */
export const CONTRACT_STEPS: { migration: string; statement: string; freeSince: string }[] = [
  // Every version has used these only to find a hash, which plain indexes do now.
  ...["node_devices_key_hash_unique", "sessions_token_hash_unique", "campaign_emails_token_hash_unique"].map(
    (index) => ["0019_growth", index] as const,
  ),
  // No version has found a row by these: each also looks up the member's id, with which the primary key begins.
  ...["campaign_emails_token_hash", "jobs_by_time", "known_devices_token_hash"].map(
    (index) => ["0030_unused_indexes", index] as const,
  ),
].map(([migration, index]) => ({ migration, statement: `DROP INDEX "${index}";`, freeSince: PREVIOUS.commit }));

/** A test of the previous version that fails on this schema, without showing a problem for any installation. */
export type SetAside = {
  /** The version whose test it is. */
  commit: string;
  file: string;
  name: string;
  /** What each of its errors contains. With any other error it counts as failed. */
  fails: string;
  because: string;
  /** The statement whose effect the test relies on. After that, the test must pass: nothing else may be in its way. */
  passesOnce: string;
};

/**
 * Tests that do what no installation does, whatever its version. Nothing that the product itself did may be set aside:
 * if the schema no longer accepts that, a migration must accept it again.
 */
export const SET_ASIDE: SetAside[] = [
  "of 50 claims of one reward at once, from two processes, one is paid",
  "of 50 claims of one referral at once, from two processes, one is paid",
].map((name) => ({
  commit: PREVIOUS.commit,
  file: "server/points/ledger/exactly-once.postgres.test.ts",
  name,
  fails: 'no partition of relation "heartbeats" found for row',
  because:
    "It writes heartbeats of 1 January 2026 into a database of today, past the API: that takes none that is older than a week, then as now. Since migration 0019 a new database has the months around the present alone, and this version makes room for others as they come.",
  passesOnce: "SELECT add_month('heartbeats', '2026-01-01T00:00:00Z');",
}));
