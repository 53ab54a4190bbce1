import { Transform } from "node:stream";

const HEAD_ENDS = "</head>";
const BODY_BEGINS = "<body>";

/**
 * HTML at the end of the head and at the beginning of the body that React does not render. Hydration skips it, so it
 * needs no script and does not reach the browser a second time.
 */
export type StaticHtml = { head?: string | undefined; body?: string | undefined };

export function injectStaticHtml(html: string, { body, head }: StaticHtml): string {
  const whole = head ? html.replace(HEAD_ENDS, () => head + HEAD_ENDS) : html;
  return body ? whole.replace(BODY_BEGINS, () => BODY_BEGINS + body) : whole;
}

/** Adds the HTML to a page that comes in pieces. */
export function createStaticHtmlInjector(alone: StaticHtml): Transform {
  let begun: Buffer | undefined = Buffer.alloc(0);
  return new Transform({
    transform(piece: Buffer, _, callback) {
      if (!begun) return callback(null, piece);
      begun = Buffer.concat([begun, piece]);
      if (!begun.includes(BODY_BEGINS)) return callback();
      const added = injectStaticHtml(begun.toString("utf8"), alone);
      begun = undefined;
      return callback(null, added);
    },
    flush: (callback) => callback(null, begun),
  });
}
