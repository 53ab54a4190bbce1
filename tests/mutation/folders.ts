/** Tests the words in which members are told the rules that features declare. */
const EARNING = "server/earning-rules.test.ts";

/** What is mutated, and where the tests are that must notice it: a feature's own, and few others. */
export const FOLDERS: Record<string, string[]> = {
  "server/points": ["server/points", EARNING],
  "server/rewards": ["server/rewards", EARNING],
  "server/referrals": ["server/referrals", EARNING],
  "server/heartbeats": ["server/heartbeats", EARNING],
  "server/sessions": ["server/sessions"],
  "server/auth": ["server/auth"],
  "server/wallet": ["server/wallet"],
  "server/chain": ["server/chain", "server/machine-id"],
  // The event stream is tested through what it carries.
  "server/http": ["server/http", "server/live"],
  node: ["node"],
};

/** Files of those folders that are not mutated, and why. */
export const LEFT_OUT = [
  // The tests themselves, and what only they use.
  "**/*.test.ts",
  "**/*.fixture.ts",
  // Descriptions: schemas and addresses. The API document and the types are generated from them, and none of their
  // lines runs.
  "**/contract.ts",
  "server/chain/abi.ts",
  // These run in their own processes and threads, where no mutant can be activated.
  "**/*.command.ts",
  "**/*.worker.ts",
  "node/index.ts",
];
