import { hash } from "node:crypto";

/** A document in pieces, and which one-time value goes between each two. */
type Template = { pieces: string[]; slots: number[]; size: number };

/** How many characters of documents to keep. With one byte each, that is about as many bytes of memory. */
const CAPACITY = 16_000_000;
/** How many pages that were requested only once to remember, by their keys alone. */
const MAX_REQUESTED = 10_000;

/**
 * Creates a cache of rendered documents. A page depends only on its address and on the loaders' data that goes to the
 * browser with it. If both are the same, so is the document, except for the values that no two responses share (the
 * nonce, a form's token), which are inserted each time. Clients must not be able to choose these values, because a
 * document is cut wherever one of them occurs.
 *
 * The key is a digest of all of the data, so nobody can get a page that was made from somebody else's. A page is kept
 * from its second request on, because most of a member's pages are never requested again.
 */
export function createRenderedPages(capacity = CAPACITY) {
  const templates = new Map<string, Template>();
  const requested = new Set<string>();
  let cachedBytes = 0;

  function forget(key: string) {
    cachedBytes -= templates.get(key)?.size ?? 0;
    templates.delete(key);
  }

  function store(key: string, values: readonly string[], html: string) {
    if (html.length > capacity / 10) return;
    forget(key);
    templates.set(key, { ...cut(html, values), size: html.length });
    cachedBytes += html.length;
    for (const oldest of templates.keys()) {
      if (cachedBytes <= capacity) break;
      forget(oldest);
    }
  }

  function noteRequested(key: string) {
    requested.add(key);
    for (const oldest of requested) {
      if (requested.size <= MAX_REQUESTED) break;
      requested.delete(oldest);
    }
  }

  return {
    /**
     * Returns the document of this address and data with these one-time values. If it must be rendered and is worth
     * keeping, returns `store` to hand it over.
     */
    find(url: string, data: string, values: readonly string[]): { html?: string; store?: (html: string) => void } {
      const key = keyOf(url, data, values);
      const template = templates.get(key);
      if (template) {
        // The document used last is forgotten last.
        templates.delete(key);
        templates.set(key, template);
        return { html: fill(template, values) };
      }
      if (requested.delete(key)) return { store: (html) => store(key, values, html) };
      noteRequested(key);
      return {};
    },
  };
}

/** A mark that cannot occur in an address or in encoded data. */
const mark = (index: number) => `\u0000${index}\u0000`;

const keyOf = (url: string, data: string, values: readonly string[]) =>
  hash(
    "sha256",
    values.reduce((key, value, index) => key.replaceAll(value, mark(index)), `${url}\n${data}`),
    "base64",
  );

function cut(html: string, values: readonly string[]): Omit<Template, "size"> {
  const marked = values.reduce((text, value, index) => text.replaceAll(value, mark(index)), html);
  // Every second part is the number of a mark.
  const parts = marked.split("\u0000");
  return {
    pieces: parts.filter((_, index) => index % 2 === 0),
    slots: parts.filter((_, index) => index % 2 === 1).map(Number),
  };
}

function fill({ pieces, slots }: Template, values: readonly string[]): string {
  return pieces.reduce((html, piece, index) => html + (values[slots[index - 1] ?? -1] ?? "") + piece);
}
