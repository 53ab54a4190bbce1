import { onboardedQuery, statsQuery, userQuery, whitelistQuery } from "../api/queries.ts";
import type { Read } from "../api/reads.ts";

/** What sidebar and header show of the member. */
export const memberReads = (read: Read) => [
  userQuery(read),
  statsQuery(read),
  whitelistQuery(read),
  onboardedQuery(read),
];
