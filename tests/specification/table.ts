import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Marker } from "./markers.ts";
import { listSentences, listTargets, SENTENCES, type Section, type Sentence } from "./sentences.ts";

/** The table's file, relative to the repository's root. */
export const TABLE = "docs/specification.md";

/** Returns what is wrong between the sentences and the tests that claim to show them, each with its number. */
export function findProblems(root: string, sections: Section[], markers: Marker[]): string[] {
  const sentences = listSentences(sections);
  const shown = new Set(markers.flatMap(({ numbers }) => numbers));
  return [
    ...findMisnumbered(sections),
    ...sentences.flatMap((sentence) => findGap(root, sentence, shown.has(sentence.number))),
    ...findStray(new Set(sentences.map(({ number }) => number)), markers),
  ];
}

function findMisnumbered(sections: Section[]): string[] {
  return sections.flatMap(({ sentences, title }, section) =>
    sentences.flatMap(({ number }, index) =>
      number === `${section}.${index + 1}` ? [] : [`${number} is not the next number of "${title}"`],
    ),
  );
}

function findGap(root: string, { number, open, settledBy, text }: Sentence, isShown: boolean): string[] {
  const ways = [isShown && "shown by a test", settledBy && "settled", open && "open"].filter(Boolean);
  if (ways.length === 0) return [`${number} has no test: ${text}`];
  if (ways.length > 1) return [`${number} is ${ways.join(" and ")}: it can be one of these`];
  if (!settledBy) return [];
  const targets = listTargets(settledBy);
  if (targets.length === 0) return [`${number} is settled by nothing`];
  return targets.flatMap((path) =>
    existsSync(join(root, path)) ? [] : [`${number} is settled by ${path}, which is gone`],
  );
}

function findStray(known: Set<string>, markers: Marker[]): string[] {
  return markers.flatMap(({ file, line, numbers, test }) => [
    ...(test === undefined ? [`${file}:${line} marks no test`] : []),
    ...numbers.flatMap((number) =>
      known.has(number) ? [] : [`${file}:${line} marks ${number}, which is no sentence`],
    ),
  ]);
}

/** Returns the table as it should be. */
export function writeTable(sections: Section[], markers: Marker[]): string {
  const sentences = listSentences(sections);
  const open = sentences.filter((sentence) => sentence.open);
  const settled = sentences.filter(({ settledBy }) => settledBy);
  return [
    "# The specification, and the tests that show it",
    "",
    `\`npm run specification\` writes this page, from [its sentences](${relativeToDocs(SENTENCES)}) and the markers of the tests.`,
    "",
    `${sentences.length} sentences: ${sentences.length - open.length - settled.length} shown by tests, ` +
      `${settled.length} settled by a decision or a contract, ${open.length} open.`,
    ...(open.length > 0
      ? ["", "Open:", "", ...open.map((each) => `- ${each.number} ${each.text} (${each.open})`)]
      : []),
    ...sections.flatMap((section) => writeSection(section, markers)),
    "",
  ].join("\n");
}

function writeSection({ sentences, title }: Section, markers: Marker[]): string[] {
  const rows = sentences.map((each) => `| ${each.number} | ${escape(each.text)} | ${writeCarriers(each, markers)} |`);
  return ["", `## ${title}`, "", "| | Sentence | Shown by |", "| --- | --- | --- |", ...rows];
}

function writeCarriers({ number, open, settledBy }: Sentence, markers: Marker[]): string {
  if (settledBy) return `settled by ${settledBy.replaceAll("](../../", "](../")}`;
  if (open) return "open";
  const files = Map.groupBy(
    markers.filter(({ numbers }) => numbers.includes(number)),
    ({ file }) => file,
  );
  return Array.from(files, ([file, tests]) => {
    const names = new Set(tests.map(({ test = "" }) => `“${escape(test)}”`));
    return `[${file}](../${file}): ${[...names].join(", ")}`;
  }).join("<br>");
}

/** Escapes what Markdown would not read as plain text within a table. */
const escape = (text: string) => text.replaceAll(/[\\|`*_[\]]/g, (sign) => `\\${sign}`).replaceAll("<", "&lt;");

const relativeToDocs = (path: string) => path.replace(/^docs\//, "");
