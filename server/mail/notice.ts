/** For this long it is worth telling a member what happened to their account. */
const NOTICE_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

export const expiryOfNotice = (now: Date): Date => new Date(now.getTime() + NOTICE_LIFETIME_MS);
