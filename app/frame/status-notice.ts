import { escapeHtml } from "../page/escape-html.ts";

/**
 * Says at the top of a page that something is down. The notice is in the HTML alone, before what React renders, and
 * does not delay the page. It has a button instead of a link, because a page's first link must be the one that skips to
 * its content.
 */
export const drawNotice = (notice: string): string =>
  `<aside class="status-notice" aria-label="Status"><form action="/status">${escapeHtml(notice)}. <button>See the status</button></form></aside>`;
