import type { Act } from "../administration/actor.ts";
import { permit } from "../administration/service.ts";
import type { Deps } from "../deps.ts";
import { recordCompletions } from "./completions.ts";
import { Completion, LINE_END, MAX_COMPLETIONS, type CompletionFile, type CompletionFileResults } from "./contract.ts";
import { formatCount } from "../format-count.ts";

type Line = { line: number; completion: Completion } | { line: number; problem: string };
type Results = CompletionFileResults["lines"];

/**
 * Records the completions of a file. A line that cannot be recorded does not affect the others. Up to MAX_COMPLETIONS
 * lines share a transaction, so that a long file holds nobody up. If the import stops halfway, the file can be sent
 * again: every completion is recorded once. Throws FORBIDDEN and PASSWORD_REQUIRED.
 */
export async function importCompletions(
  deps: Pick<Deps, "db" | "now">,
  act: Act,
  { format, text }: CompletionFile,
): Promise<CompletionFileResults> {
  await permit(deps, act.actor);
  const lines = format === "csv" ? readCsv(text) : readJsonLines(text);
  const results: Results = [];
  for (let from = 0; from < lines.length; from += MAX_COMPLETIONS) {
    results.push(...(await recordLines(deps, act, lines.slice(from, from + MAX_COMPLETIONS))));
  }
  return { recorded: results.filter(({ outcome }) => outcome === "recorded").length, lines: results };
}

async function recordLines(deps: Pick<Deps, "db" | "now">, act: Act, lines: Line[]): Promise<Results> {
  const completions = lines.flatMap((line) => ("completion" in line ? line.completion : []));
  const recorded = completions.length > 0 ? (await recordCompletions(deps, act, { completions })).results : [];
  const results = recorded.values();
  return lines.map((each) => {
    if ("problem" in each) return { line: each.line, outcome: "invalid", message: each.problem };
    const { value } = results.next();
    if (!value) throw new Error("Each completion has its result");
    return { line: each.line, outcome: value.outcome, message: value.message };
  });
}

/** Returns the non-empty lines with their numbers, without the byte order mark that some programs put first. */
const listLines = (text: string) =>
  text
    .replace(/^\uFEFF/, "")
    .split(LINE_END)
    .map((content, index) => ({ line: index + 1, content }))
    .filter(({ content }) => content.trim() !== "");

function readJsonLines(text: string): Line[] {
  return listLines(text).map(({ line, content }) => {
    try {
      return check(line, JSON.parse(content));
    } catch {
      return { line, problem: "The line is not valid JSON." };
    }
  });
}

const COLUMNS = new Set(["member", "campaignId", "completedAt"]);

/** The separators between values: spreadsheets write semicolons where numbers have commas, and copy cells with tabs. */
const SEPARATORS = [",", ";", "\t"];

/**
 * Parses CSV as in RFC 4180, except for values with line breaks, which none of these has. The first line shows the
 * separator.
 */
function readCsv(text: string): Line[] {
  const [head, ...rows] = listLines(text);
  if (!head) return [];
  const separator = SEPARATORS.find((each) => head.content.includes(each)) ?? ",";
  const names = splitRow(head.content, separator);
  const isValid = names.every((name, index) => COLUMNS.has(name) && names.indexOf(name) === index);
  if (!names.includes("member") || !names.includes("campaignId") || !isValid) {
    return [{ line: head.line, problem: "Start with a line that names the columns: member,campaignId,completedAt" }];
  }
  return rows.map(({ line, content }) => {
    const values = splitRow(content, separator);
    if (values.length !== names.length)
      return { line, problem: `The line has ${formatCount(values.length, "value")}, not ${names.length}.` };
    const given = names.flatMap((name, index): [string, string][] => (values[index] ? [[name, values[index]]] : []));
    return check(line, Object.fromEntries(given));
  });
}

/**
 * Splits a row into values. Each runs up to the next separator, or is in quotes, where a quote is written twice. The
 * row gets a separator in front, too, so that an empty first value is found.
 */
function splitRow(row: string, separator: string): string[] {
  const space = `[^\\S${separator}]*`;
  const value = new RegExp(
    `${separator}${space}(?:"((?:[^"]|"")*)"${space}(?=${separator}|$)|([^${separator}]*))`,
    "g",
  );
  return [...`${separator}${row}`.matchAll(value)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? "").trim() : quoted.replaceAll('""', '"'),
  );
}

function check(line: number, given: unknown): Line {
  const parsed = Completion.safeParse(given);
  if (parsed.success) return { line, completion: parsed.data };
  return { line, problem: parsed.error.issues[0]?.message ?? "That is not a completion." };
}
