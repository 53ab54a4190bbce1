/**
 * The version that runs while this one is rolled out: it has to go on working on this one's schema. A release puts its
 * own commit, the last of its migrations, and what its tests have for the present here, and empties the lists below.
 */
export const PREVIOUS = {
  commit: "cc2a20140bf1488eb3f5b56203e501c020475788",
  lastMigration: "0015_operations",
  /** As `createTestClock` begins: tables that go by month have room around it, as they had at that time. */
  testsAt: "2026-11-20T12:00:00.000Z",
};

/**
 * Statements of newer migrations that take away what the previous version no longer uses, as they stand in the file,
 * each with the version that stopped using it.
 */
export const CONTRACT_STEPS: { migration: string; statement: string; freeSince: string }[] = [
  // No version has asked these for more than where a hash is, which plain indexes say now.
  ...["node_devices_key_hash_unique", "sessions_token_hash_unique", "campaign_emails_token_hash_unique"].map(
    (index) => ["0019_growth", index] as const,
  ),
  // No version has found a row by these: each looks beside the member's id, which the primary key begins with.
  ...["campaign_emails_token_hash", "jobs_by_time", "known_devices_token_hash"].map(
    (index) => ["0030_unused_indexes", index] as const,
  ),
].map(([migration, index]) => ({ migration, statement: `DROP INDEX "${index}";`, freeSince: PREVIOUS.commit }));

/** A test of the previous version that fails on this schema, and shows nothing that an installation would see. */
export type SetAside = {
  /** Whose test it is. */
  commit: string;
  file: string;
  name: string;
  /** What each of its errors says: with any other one it counts as failed. */
  fails: string;
  because: string;
  /** The statement whose effect it relies on. Once that is run the test has to pass: nothing else stands in its way. */
  passesOnce: string;
};

/**
 * What no installation does, whatever its version, and these tests do. Nothing is set aside that the product did: where
 * its schema no longer takes that, a migration has to take it again.
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
