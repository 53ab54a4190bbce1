import { AppError } from "../errors.ts";
import type { LegalText } from "./legal-text.ts";

type Sections = LegalText["sections"];
type Section = Sections[number];

const POINT = /^[-*]\s+/;
const ID = /^[a-z][a-z0-9-]{0,59}$/;
/** The ids of the page's own parts. */
const TAKEN = new Set(["contents", "main"]);

/**
 * Parses the sections of a document from their source: `## A heading {#its-address}`, paragraphs separated by empty
 * lines, and list items that begin with a hyphen or an asterisk. There is no other syntax: everything else is shown as
 * typed. Throws VALIDATION_ERROR, with the number of a wrong line where there is one.
 */
export function readSource(source: string): Sections {
  const sections: Section[] = [];
  const lines = source.split(/\r\n|[\r\n\u2028\u2029]/);
  const ids = new Set<string>();
  let isOpen = false;
  for (const [index, raw] of lines.entries()) {
    const line = raw.trim();
    const section = sections.at(-1);
    if (line.startsWith("#")) {
      sections.push(readHeading(line, index + 1, ids));
      isOpen = false;
    } else if (line === "") {
      isOpen = false;
    } else if (section) {
      addLine(section, line, isOpen);
      isOpen = true;
    } else {
      refuse(`Line ${index + 1}: begin with a heading, such as ## In short.`);
    }
  }
  const [first] = sections;
  if (!first) refuse("Write at least one section: a heading such as ## In short, and a paragraph.");
  const empty = sections.find(({ text }) => text.length === 0);
  if (empty) refuse(`The section ${empty.title} has no text.`);
  return sections;
}

function readHeading(line: string, number: number, ids: Set<string>): Section {
  const { title, given } = cutHeading(line);
  if (title === "") refuse(`Line ${number}: write a heading as ## In short.`);
  const id = given ?? (slugOf(title) || `section-${ids.size + 1}`);
  if (!ID.test(id) || TAKEN.has(id)) {
    refuse(`Line ${number}: ${id} cannot be an address: use lowercase letters, digits and hyphens, as {#in-short}.`);
  }
  if (ids.has(id)) refuse(`Line ${number}: two sections have the address ${id}.`);
  ids.add(id);
  return { id, title, text: [] };
}

/** Splits a heading without a regular expression, which would backtrack over a long run of spaces. */
function cutHeading(line: string): { title: string; given?: string } {
  const rest = line.slice(line.startsWith("##") ? 2 : 1);
  const words = rest.trim();
  // The line has no trailing space, so trimming would have removed one between the hashes and the words.
  if (words.length === rest.length) return { title: "" };
  const at = words.endsWith("}") ? words.lastIndexOf("{#") : -1;
  return at === -1 ? { title: words } : { title: words.slice(0, at).trim(), given: words.slice(at + 2, -1) };
}

const slugOf = (title: string) =>
  title
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^[-0-9]+|-+$/g, "")
    .slice(0, 60)
    .replace(/-$/, "");

/** Adds a line to a section. It continues the block of the line before, or begins a new one after an empty line. */
function addLine({ text }: Section, line: string, isOpen: boolean): void {
  const last = text.at(-1);
  if (POINT.test(line)) {
    const point = line.replace(POINT, "");
    if (Array.isArray(last)) last.push(point);
    else text.push([point]);
  } else if (isOpen && Array.isArray(last)) {
    last.push(`${last.pop()} ${line}`);
  } else if (isOpen && typeof last === "string") {
    text[text.length - 1] = `${last} ${line}`;
  } else {
    text.push(line);
  }
}

function refuse(problem: string): never {
  throw new AppError("VALIDATION_ERROR", problem, { fields: { source: [problem] } });
}

/** Writes a text's sections as one would type them. */
export const writeSource = (sections: Sections): string =>
  sections
    .map(({ id, title, text }) => {
      const blocks = text.map((block) =>
        typeof block === "string" ? block : block.map((point) => `- ${point}`).join("\n"),
      );
      return [`## ${title} {#${id}}`, ...blocks].join("\n\n");
    })
    .join("\n\n");
