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
export const CONTRACT_STEPS: { migration: string; statement: string; freeSince: string }[] = [];
