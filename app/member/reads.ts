import { CACHE_TIMES } from "../cache/cache-times.ts";
import { defineRead } from "../cache/read.ts";

export const userQuery = defineRead("user", {
  source: (api) => api.users.me(),
  staleAfter: ["profile", "account", "wallet"],
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

/**
 * Returns whether the member is onboarded. They are unless a response says otherwise (product specification, section 3:
 * user store), even if it says nothing about it.
 */
export const isOnboarded = (answer: { success: boolean } | null | undefined): boolean => answer?.success !== false;
