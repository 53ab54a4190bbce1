import { Transform, type Writable } from "node:stream";

const BODY = "<body>";

/**
 * Says on top of a page that something is down. It stands in the HTML alone, before what React draws: whoever hydrates
 * the page passes over it, so that it takes no script, and no reader waits for it.
 */
export function addNotice(html: string, notice: string | undefined): string {
  if (notice === undefined) return html;
  const at = html.indexOf(BODY) + BODY.length;
  return at < BODY.length ? html : html.slice(0, at) + draw(notice) + html.slice(at);
}

/** The same for a page that comes in pieces: its body begins in the first one. */
export function noticeAdder(notice: string, into: Writable): Writable {
  let isFirst = true;
  const adder = new Transform({
    transform(piece: Buffer, _, callback) {
      callback(null, isFirst ? addNotice(piece.toString("utf8"), notice) : piece);
      isFirst = false;
    },
  });
  adder.pipe(into);
  return adder;
}

/** It leads on by a button: the first link of a page is the one that skips to its content. */
const draw = (notice: string) =>
  `<aside class="status-notice" aria-label="Status"><form action="/status">${escape(notice)}. <button>See the status</button></form></aside>`;

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
