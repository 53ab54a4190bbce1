import { readPage } from "../ui/table/pagination.ts";

/** What of the profile is shown: a page of the security activity. */
export type ProfileView = { activityPage: number };

export const PROFILE = "/profile";
/** Where the address that the member signs in with is changed. */
export const CHANGE_EMAIL = "/profile/email";

export const ACTIVITY_PAGE_SIZE = 10;

/** What an address asks for; what it says wrongly is as usual. */
export const readProfileView = (params: URLSearchParams): ProfileView => ({
  activityPage: readPage(params.get("activity")),
});

export const activityQuery = ({ activityPage }: ProfileView) => ({ page: activityPage, limit: ACTIVITY_PAGE_SIZE });

/** The address of a page of the security activity. */
export const activityHref = (page: number): string =>
  `${PROFILE}${page === 1 ? "" : `?activity=${page}`}#security-activity`;

/** Where what was typed is kept when the session is over (session/leave.ts). */
export const DRAFT = "/profile/draft";
/** The same for the page where the email is changed. */
export const EMAIL_DRAFT = `${DRAFT}?page=email`;
/** Where an account is deleted, or kept after all (server/account-data/letters.ts leads here). */
export const DELETE_ACCOUNT = "/profile/delete";
/**
 * Days in which it can be kept: DELETION_GRACE_SECONDS (server/account-data/contract.ts), without zod in the browser.
 */
export const GRACE_DAYS = 14;
