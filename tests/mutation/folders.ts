/** In what words a member is told of the rules that features declare. */
const EARNING = "server/earning-rules.test.ts";

/** What is mutated, and where the tests are that have to notice it: a feature's own, and few beside them. */
export const FOLDERS: Record<string, string[]> = {
  "server/points": ["server/points", EARNING],
  "server/rewards": ["server/rewards", EARNING],
  "server/referrals": ["server/referrals", EARNING],
  "server/heartbeats": ["server/heartbeats", EARNING],
  "server/sessions": ["server/sessions"],
  "server/auth": ["server/auth"],
  "server/wallet": ["server/wallet"],
  "server/chain": ["server/chain", "server/machine-id"],
  // The stream of events is tried by what it carries.
  "server/http": ["server/http", "server/live"],
  node: ["node"],
};

/** Files of those folders that are left alone, and why. */
export const LEFT_OUT = [
  // The tests themselves, and what only they use.
  "**/*.test.ts",
  "**/*.fixture.ts",
  // Descriptions: schemas and addresses. The API's document and the types are made from them, and no line of them runs.
  "**/contract.ts",
  "server/chain/abi.ts",
  // These run in processes and threads of their own, where no mutant can be switched on.
  "**/*.command.ts",
  "**/*.worker.ts",
  "node/index.ts",
];
