import { escapeHtml } from "../page/escape-html.ts";

/**
 * Says at the top of a page that something is down. The notice is in the HTML alone, before what React renders, and
 * does not delay the page. It leads on by a button, because the first link of a page is the one that skips to its
 * content.
 */
export const drawNotice = (notice: string): string =>
  `<aside class="status-notice" aria-label="Status"><form action="/status">${escapeHtml(notice)}. <button>See the status</button></form></aside>`;
