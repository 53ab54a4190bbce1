import { CACHE_TIMES } from "../api/cache-times.ts";
import { defineRead, type Read } from "../api/read.ts";
import { rulesQuery, statsQuery } from "../points/reads.ts";

export const userQuery = defineRead("user", {
  source: (api) => api.users.me(),
  staleAfter: ["profile", "account", "wallet", "USER_UPDATED"],
  ...CACHE_TIMES.user,
});

export const whitelistQuery = defineRead("whitelist", {
  source: (api) => api.users.isWhitelisted(),
  staleAfter: ["profile"],
  ...CACHE_TIMES.whitelist,
});

export const onboardedQuery = defineRead("onboarded", {
  source: (api) => api.users.isOnboarded(),
  ...CACHE_TIMES.onboarded,
});

/** What sidebar and header show of the member, and the rules whose figures every page names. */
export const memberReads = (read: Read) => [
  userQuery(read),
  statsQuery(read),
  whitelistQuery(read),
  onboardedQuery(read),
  rulesQuery(read),
];
