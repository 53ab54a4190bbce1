/** A document in pieces, with which one-time value stands between each two. */
type Template = { pieces: string[]; slots: number[]; size: number };

/** Characters of documents and keys that are kept: with one byte each, about as many bytes of memory. */
const CAPACITY = 16_000_000;

/**
 * Documents that were rendered before. A page depends on its address and on the loaders' data that is handed to the
 * browser with it, and on nothing else: where both are the same, so is the document, and only the values that no two
 * answers share (the nonce, the request's id, a form's token) have to be put in their places.
 * The key holds all of the data, so nobody can get a page that was made of somebody else's.
 */
export function createRenderedPages(capacity = CAPACITY) {
  const templates = new Map<string, Template>();
  let kept = 0;

  function forget(key: string) {
    kept -= templates.get(key)?.size ?? 0;
    templates.delete(key);
  }

  return {
    /** The document of this address and data with these one-time values; undefined when it has to be rendered. */
    find(url: string, data: string, values: readonly string[]): string | undefined {
      const key = keyOf(url, data, values);
      const template = templates.get(key);
      if (!template) return undefined;
      // The one used last is forgotten last.
      templates.delete(key);
      templates.set(key, template);
      return fill(template, values);
    },

    keep(url: string, data: string, values: readonly string[], html: string): void {
      const key = keyOf(url, data, values);
      const size = key.length + html.length;
      if (size > capacity / 10) return;
      forget(key);
      templates.set(key, { ...cut(html, values), size });
      kept += size;
      for (const oldest of templates.keys()) {
        if (kept <= capacity) break;
        forget(oldest);
      }
    },
  };
}

/** What cannot stand in an address or in encoded data. */
const mark = (index: number) => `\u0000${index}\u0000`;

function keyOf(url: string, data: string, values: readonly string[]): string {
  return values.reduce((key, value, index) => key.replaceAll(value, mark(index)), `${url}\n${data}`);
}

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
