/** Where the code of the bot check, Cloudflare's or our own around it, did not arrive. */
export const MISSING_CHECK = "The check that protects this form could not be loaded. Please reload the page.";
