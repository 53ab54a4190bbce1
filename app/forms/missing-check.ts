/** Shown if the code of the bot check, Cloudflare's or our own around it, did not load. */
export const MISSING_CHECK = "The check that protects this form could not be loaded. Please reload the page.";
