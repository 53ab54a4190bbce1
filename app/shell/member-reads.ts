import { onboardedQuery, rulesQuery, statsQuery, userQuery, whitelistQuery } from "../api/queries.ts";
import type { Read } from "../api/reads.ts";

/** What sidebar and header show of the member, and the rules whose figures every page names. */
export const memberReads = (read: Read) => [
  userQuery(read),
  statsQuery(read),
  whitelistQuery(read),
  onboardedQuery(read),
  rulesQuery(read),
];
