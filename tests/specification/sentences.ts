/** Where the numbered sentences stand, from the repository's root. */
export const SENTENCES = "docs/specification/sentences.md";

export type Sentence = {
  /** Its section and its place there, such as `2.14`. */
  number: string;
  text: string;
  /** What settles a sentence that leaves something to us: links, as they are written. */
  settledBy?: string;
  /** Why no test can show it yet. */
  open?: string;
};

export type Section = { title: string; sentences: Sentence[] };

const SECTION = /^## (.+)$/;
const SENTENCE = /^- (\d+\.\d+) (.+)$/;
const SETTLED = /^ {2}- settled by (.+)$/;
const OPEN = /^ {2}- open: (.+)$/;

/** The sentences of the specification, by section. Lines that are none of these are words about them. */
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

/** Where the links of a line lead, from the repository's root. They are written from the folder of the sentences. */
export const listTargets = (links: string): string[] =>
  Array.from(links.matchAll(/\]\(\.\.\/\.\.\/([^)]+)\)/g), ([, target = ""]) => target);
