import type { Read } from "../cache/read.ts";
import { onboardedQuery, userQuery, whitelistQuery } from "../member/reads.ts";
import { rulesQuery, statsQuery } from "../points/reads.ts";

/** What sidebar and header show of the member, and the rules, whose figures every page names. */
export const memberReads = (read: Read) => [
  userQuery(read),
  statsQuery(read),
  whitelistQuery(read),
  onboardedQuery(read),
  rulesQuery(read),
];
