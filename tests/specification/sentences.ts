/** The file with the numbered sentences, relative to the repository's root. */
export const SENTENCES = "docs/specification/sentences.md";

export type Sentence = {
  /** Its section and its place there, such as `2.14`. */
  number: string;
  text: string;
  /** What settles a sentence that leaves something to us: links, as written. */
  settledBy?: string;
  /** Why no test can show it yet. */
  open?: string;
};

export type Section = { title: string; sentences: Sentence[] };

const SECTION = /^## (.+)$/;
const SENTENCE = /^- (\d+\.\d+) (.+)$/;
const SETTLED = /^ {2}- settled by (.+)$/;
const OPEN = /^ {2}- open: (.+)$/;

/** Returns the sentences of the specification, by section. Ignores all other lines, which explain them. */
export function readSentences(markdown: string): Section[] {
  const sections: Section[] = [];
  for (const line of markdown.split("\n")) {
    const [, title] = SECTION.exec(line) ?? [];
    if (title) sections.push({ title, sentences: [] });
    const sentences = sections.at(-1)?.sentences;
    const [, number, text] = SENTENCE.exec(line) ?? [];
    if (number && text) sentences?.push({ number, text });
    const sentence = sentences?.at(-1);
    const [, settledBy] = SETTLED.exec(line) ?? [];
    if (sentence && settledBy) sentence.settledBy = settledBy;
    const [, open] = OPEN.exec(line) ?? [];
    if (sentence && open) sentence.open = open;
  }
  return sections;
}

export const listSentences = (sections: Section[]): Sentence[] => sections.flatMap(({ sentences }) => sentences);

/**
 * Returns where a line's links lead, relative to the repository's root. They are written relative to the folder of the
 * sentences.
 */
export const listTargets = (links: string): string[] =>
  Array.from(links.matchAll(/\]\(\.\.\/\.\.\/([^)]+)\)/g), ([, target = ""]) => target);
