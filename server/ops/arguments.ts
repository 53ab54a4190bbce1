import { parseArgs, type ParseArgsConfig } from "node:util";
import type * as z from "zod";
import { Reason } from "../administration/contract.ts";
import { explainIssue } from "../http/explain-issue.ts";
import { findNoun, findOperation } from "./nouns.ts";
import { describeProblems } from "./run-request.ts";
import { WrongUse, type Home, type Operation, type OptionKind } from "./operation.ts";

export type OperationName = { noun: string; verb: string };
export type ParsedCommand = OperationName & {
  operation: Operation;
  input: unknown;
  reason: string | undefined;
};

/** Reads noun and verb, which come first, as far as they were given. Throws WrongUse. */
export function readNames(args: string[]): OperationName & { rest: string[] } {
  const end = args.findIndex((each) => each.startsWith("-"));
  const [noun = "", said] = end === -1 ? args : args.slice(0, end);
  if (noun && !findNoun(noun)) throw new WrongUse(`There is no "${noun}" here.`);
  const verb = said ?? findNoun(noun)?.alone ?? "";
  if (verb && !findOperation(noun, verb)) throw new WrongUse(`There is no "${noun} ${verb}".`);
  return { noun, verb, rest: args.slice(noun ? (said ? 2 : 1) : 0) };
}

/** Reads the arguments after noun and verb. Throws WrongUse, and whatever the operation's own `prepare` throws. */
export async function readCommand(
  { noun, verb }: OperationName,
  operation: Operation,
  rest: string[],
  settings: Home["settings"],
): Promise<ParsedCommand> {
  const { values, positionals } = parse(operation, rest);
  const { json: _, reason, ...options } = values;
  const typed = { ...readWords(operation, positionals), ...readOptions(operation, options) };
  // Check this before opening or reading anything.
  if (operation.isChange) requireReason(reason);
  if (!operation.isChange && reason !== undefined) throw new WrongUse("This takes no reason: leave out --reason.");
  const input = operation.prepare ? await operation.prepare(typed, settings) : typed;
  const parsed = operation.input.safeParse(input, { error: explain });
  if (!parsed.success) throw new WrongUse(describeProblems(parsed.error, (path) => nameTyped(operation, path, typed)));
  return {
    noun,
    verb,
    operation,
    input,
    reason: typeof reason === "string" ? reason : undefined,
  };
}

/** Explains problems in the API's words, except those that refer to its document, which is of no use to an operator. */
const explain: z.core.$ZodErrorMap = (issue) => (issue.code === "invalid_format" ? undefined : explainIssue(issue));

/** Names a value as it was typed: an option by its flag, one of many words by the word itself. */
function nameTyped({ options = {}, words = [] }: Operation, path: PropertyKey[], typed: Record<string, unknown>) {
  const option = path.map(String).findLast((name) => name in options);
  if (option) return `--${toFlag(option)}`;
  const word = path.map(String).findLast((name) => words.includes(name));
  if (word) return word;
  const many = typed[words.at(-1)?.replace("…", "") ?? ""];
  const index = path.find((part) => typeof part === "number");
  return Array.isArray(many) && index !== undefined ? String(many[index]) : path.join(".");
}

function requireReason(reason: unknown): void {
  const { error } = Reason.safeParse(reason);
  if (!error) return;
  const isGiven = typeof reason === "string" && reason.trim() !== "";
  throw new WrongUse(isGiven ? describeProblems(error) : "Give a reason, with --reason <why>.");
}

const COMMON = { json: { type: "boolean" }, reason: { type: "string" } } satisfies ParseArgsConfig["options"];

type Parsed = { values: Record<string, unknown>; positionals: string[] };

function parse({ options = {} }: Operation, args: string[]): Parsed {
  const own: ParseArgsConfig["options"] = {};
  for (const [name, kind] of Object.entries(options))
    own[toFlag(name)] = { type: kind === "flag" ? "boolean" : "string" };
  try {
    const options = { ...COMMON, ...own };
    const parsed = parseArgs({ args, options, allowPositionals: true, allowNegative: true, tokens: true });
    requireOnce(parsed.tokens.flatMap((token) => (token.kind === "option" ? token.name : [])));
    return parsed;
  } catch (error) {
    throw new WrongUse(error instanceof Error ? error.message : "", { cause: error });
  }
}

/** Throws WrongUse if an option was given twice. Otherwise parseArgs would silently take the last one. */
function requireOnce(names: string[]): void {
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated) throw new WrongUse(`--${repeated} was given twice: give it once.`);
}

/** Assigns the words to their names. The last name may take several. */
function readWords({ words = [] }: Operation, given: string[]): Record<string, unknown> {
  const typed: Record<string, unknown> = {};
  let left = given;
  for (const word of words) {
    if (left.length === 0) throw new WrongUse(`<${word}> is missing.`);
    const isMany = word.endsWith("…");
    typed[word.replace("…", "")] = isMany ? left : left[0];
    left = isMany ? [] : left.slice(1);
  }
  if (left.length > 0) throw new WrongUse(`Too many arguments: ${left.join(" ")}`);
  return typed;
}

function readOptions({ options = {} }: Operation, given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, kind]): [string, unknown][] => {
      const value = given[toFlag(name)];
      return value === undefined ? [] : [[name, readValue(kind, value)]];
    }),
  );
}

/** At most two decimals: our pages write a thousand as 1.000, which would otherwise be read as 1. */
const DECIMAL = /^-?\d+(?:\.\d{1,2})?$/;

function readValue(kind: OptionKind, value: unknown) {
  // An empty value, such as that of a variable that is not set, would become 0, and 0x10 would become 16.
  if (kind === "number") return typeof value === "string" && DECIMAL.test(value) ? Number(value) : NaN;
  return kind === "nullable" && value === "none" ? null : value;
}

/** Turns the name of an option into its flag: `startsAt` is typed as `--starts-at`. */
const toFlag = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
