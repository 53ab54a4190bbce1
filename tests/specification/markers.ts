import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";

/**
 * Which sentences of the specification a test shows: the line `// specification: 2.14, 4.3` directly above it, as a
 * separate comment or as the last line of one. The numbers are those of docs/specification/sentences.md.
 */
export type Marker = {
  /** Relative to the repository's root, with slashes. */
  file: string;
  line: number;
  numbers: string[];
  /** The test's name, preceded by those of its groups; undefined if no test follows. */
  test: string | undefined;
};

const TESTS = ["{app,server,node,tests}/**/*.test.{ts,tsx}", "tests/e2e/**/*.spec.ts"];
const MARKER = /^ ?specification: ?(.*)$/;
const CALLEES = new Set(["test", "it", "describe"]);

type Node = { type: string; start: number; end: number };
type Call = Node & { callee: Callee; arguments: (Node & { value?: unknown; quasis?: Quasi[] })[] };
type Callee = Node & { name?: string; object?: Callee; callee?: Callee };
type Quasi = { value: { cooked: string } };
type Named = { start: number; end: number; name: string };

/** Returns the markers of all tests below a folder, by file and line. */
export function readMarkers(root: string): Marker[] {
  const files = TESTS.flatMap((pattern) => globSync(pattern, { cwd: root })).map((file) => file.replaceAll("\\", "/"));
  return files.toSorted().flatMap((file) => readFile(file, readFileSync(join(root, file), "utf8")));
}

function readFile(file: string, source: string): Marker[] {
  if (!source.includes("specification:")) return [];
  const { comments, program } = parseSync(file, source);
  const named = listNamed(program, source);
  return comments.flatMap(({ end, start, value }): Marker[] => {
    const [, numbers] = MARKER.exec(value) ?? [];
    if (numbers === undefined) return [];
    const line = source.slice(0, start).split("\n").length;
    return [
      { file, line, numbers: numbers.split(/, */).map((each) => each.trim()), test: findTest(named, source, end) },
    ];
  });
}

/** Returns the name of the test that follows with only comments in between, preceded by the names of its groups. */
function findTest(named: Named[], source: string, after: number): string | undefined {
  const begin = after + (/^(?:\s+|\/\/[^\n]*)*/.exec(source.slice(after))?.[0].length ?? 0);
  const found = named.find(({ start }) => start === begin);
  if (!found) return undefined;
  const around = named.filter(({ start, end }) => start < found.start && end > found.end);
  return [...around, found].map(({ name }) => name).join(" › ");
}

/** Returns every test and group that has a name, from the outside in. */
function listNamed(node: unknown, source: string): Named[] {
  if (Array.isArray(node)) return node.flatMap((each) => listNamed(each, source));
  if (typeof node !== "object" || node === null) return [];
  const name = isTest(node) ? nameOf(node, source) : undefined;
  const inside = Object.values(node).flatMap((each) => listNamed(each, source));
  return name === undefined ? inside : [{ ...(node as Call), name }, ...inside];
}

const isTest = (node: object): node is Call =>
  "type" in node && node.type === "CallExpression" && CALLEES.has(rootOf((node as Call).callee) ?? "");

/** Returns the first name of a call: `test` for `test.each(rows)("…", …)`. */
function rootOf({ callee, name, object }: Callee): string | undefined {
  const further = object ?? callee;
  return name ?? (further && rootOf(further));
}

/** Returns the text of a name. Placeholders for its row or its loop stay as written. */
function nameOf({ arguments: [first] }: Call, source: string): string | undefined {
  if (first?.type === "Literal" && typeof first.value === "string") return first.value;
  return first?.type === "TemplateLiteral" ? source.slice(first.start + 1, first.end - 1) : undefined;
}
