import { escapeHtml } from "../page/escape-html.ts";

/**
 * Says on top of a page that something is down. It stands in the HTML alone, before what React draws, and no reader
 * waits for it. It leads on by a button: the first link of a page is the one that skips to its content.
 */
export const drawNotice = (notice: string): string =>
  `<aside class="status-notice" aria-label="Status"><form action="/status">${escapeHtml(notice)}. <button>See the status</button></form></aside>`;
