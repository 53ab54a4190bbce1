import { readPage } from "../ui/table/pagination.ts";

/** Which part of the profile is shown: the page of the security activity. */
export type ProfileView = { activityPage: number };

export const PROFILE = "/profile";
/** The page that changes the address that the member signs in with. */
export const CHANGE_EMAIL = "/profile/email";

export const ACTIVITY_PAGE_SIZE = 10;

/** Reads the view from a query string. Invalid values get their defaults. */
export const readProfileView = (params: URLSearchParams): ProfileView => ({
  activityPage: readPage(params.get("activity")),
});

export const activityQuery = ({ activityPage }: ProfileView) => ({ page: activityPage, limit: ACTIVITY_PAGE_SIZE });

/** Returns the address of a page of the security activity. */
export const activityHref = (page: number): string =>
  `${PROFILE}${page === 1 ? "" : `?activity=${page}`}#security-activity`;

/** The address that keeps what was typed when the session is over (session/leave.ts). */
export const DRAFT = "/profile/draft";
/** The same for the page that changes the email. */
export const EMAIL_DRAFT = `${DRAFT}?page=email`;
/** The page to delete an account, or to cancel that (server/account-data/emails.ts links here). */
export const DELETE_ACCOUNT = "/profile/delete";
/**
 * How many days a member can still keep the account. Same as DELETION_GRACE_SECONDS (server/account-data/contract.ts),
 * but without zod in the browser.
 */
export const GRACE_DAYS = 14;
