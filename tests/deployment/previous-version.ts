/**
 * The version that runs while this one is rolled out: it has to go on working on this one's schema. A release puts its own
 * commit and the last of its migrations here.
 */
export const PREVIOUS = {
  commit: "cc2a20140bf1488eb3f5b56203e501c020475788",
  lastMigration: "0015_operations",
};

/**
 * Statements of newer migrations that take away what the previous version no longer uses, as they stand in the file, each
 * with the version that stopped using it.
 */
export const CONTRACT_STEPS: { migration: string; statement: string; freeSince: string }[] =
  // No version has asked these for more than where a hash is, which plain indexes say now.
  ["node_devices_key_hash_unique", "sessions_token_hash_unique", "campaign_emails_token_hash_unique"].map((index) => ({
    migration: "0019_growth",
    statement: `DROP INDEX "${index}";`,
    freeSince: PREVIOUS.commit,
  }));
