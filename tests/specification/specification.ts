import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readMarkers } from "./markers.ts";
import { readSentences, SENTENCES } from "./sentences.ts";
import { findProblems, TABLE, writeTable } from "./table.ts";

/**
 * Writes the table of a repository, or only checks it.
 * @param root The repository's folder.
 * @returns What is wrong: with the sentences, with the markers, or with a table that was only to be checked.
 */
export function holdSpecification(root: string, { check = false } = {}): string[] {
  const sections = readSentences(readFileSync(join(root, SENTENCES), "utf8"));
  const markers = readMarkers(root);
  const problems = findProblems(root, sections, markers);
  const table = writeTable(sections, markers);
  const path = join(root, TABLE);
  if (!check) writeFileSync(path, table);
  const isStale = !existsSync(path) || readFileSync(path, "utf8") !== table;
  return isStale ? [...problems, `${TABLE} is out of date: npm run specification`] : problems;
}
