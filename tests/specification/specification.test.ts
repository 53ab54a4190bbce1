import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { QUICK_EXIT } from "../support/servers/quick-engine.ts";
import { holdSpecification } from "./specification.ts";

const COMMAND = fileURLToPath(new URL("specification.command.ts", import.meta.url));
let project: string;

const SENTENCES = "docs/specification/sentences.md";
const TABLE = "docs/specification.md";
const TEST = "app/faqs/faqs.test.ts";

const sentences = `# Words about them

## 0. Beginning

- 0.1 The product is a web application.
- 0.2 Point values: not shown.
  - settled by [the rules](../../server/earning-rules.ts)

## 1. Help

- 1.1 /faqs is | public.
- 1.2 It is searched.
- 1.3 It speaks.
  - open: nobody has a voice for it yet
`;

const tests = `import { describe, expect, test } from "vitest";

// specification: 0.1
test("the product is there", () => {});

describe("help", () => {
  // What is asked for most.
  // specification: 1.1, 1.2
  // It takes no account.
  test.each([["a"], ["b(\\"x\\")"]])(
    "is found: %s <b>",
    () => {},
  );

  // specification: 1.2
  test(\`is found by \${1} word\`, () => {});
});
`;

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), "nodebeat-specification-"));
  await write({ [SENTENCES]: sentences, [TEST]: tests, "server/earning-rules.ts": "" });
  holdSpecification(project);
});
afterEach(() => rm(project, { recursive: true }));

async function write(files: Record<string, string>) {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(project, path)), { recursive: true });
    await writeFile(join(project, path), content);
  }
}

const check = () => holdSpecification(project, { check: true });

/** Changes a sentence or a test, writes the table again, and returns what a check reports. */
async function change(path: string, from: string, to: string) {
  const content = await readFile(join(project, path), "utf8");
  expect(content).toContain(from);
  await write({ [path]: content.replace(from, to) });
  holdSpecification(project);
  return check();
}

test("the table lists each sentence with its tests or what settles it, and the open ones first", async () => {
  expect(check()).toEqual([]);
  const table = await readFile(join(project, TABLE), "utf8");
  expect(table).toContain(
    "5 sentences: 3 shown by tests, 1 settled by a decision or a contract, 1 open.\n\n" +
      "Open:\n\n- 1.3 It speaks. (nobody has a voice for it yet)\n",
  );
  const link = `[${TEST}](../${TEST})`;
  expect(table.split("\n").filter((line) => /^\| \d/.test(line))).toEqual([
    `| 0.1 | The product is a web application. | ${link}: “the product is there” |`,
    "| 0.2 | Point values: not shown. | settled by [the rules](../server/earning-rules.ts) |",
    `| 1.1 | /faqs is \\| public. | ${link}: “help › is found: %s &lt;b>” |`,
    `| 1.2 | It is searched. | ${link}: “help › is found: %s &lt;b>”, “help › is found by \${1} word” |`,
    "| 1.3 | It speaks. | open |",
  ]);
});

test("reports a sentence without a test by its number", async () => {
  expect(await change(TEST, "// specification: 0.1\n", "")).toEqual([
    "0.1 has no test: The product is a web application.",
  ]);
});

test("reports a number without a sentence and where it is", async () => {
  expect(await change(TEST, "1.1, 1.2", "1.1, 1.2, 1.4, x")).toEqual([
    `${TEST}:8 marks 1.4, which is no sentence`,
    `${TEST}:8 marks x, which is no sentence`,
  ]);
});

test("reports a number that is not above a test", async () => {
  expect(await change(TEST, 'test("the product is there"', 'expect(1).toBe(1);\ntest("the product is there"')).toEqual([
    `${TEST}:3 marks no test`,
  ]);
});

test.each([
  ["a changed sentence", SENTENCES, "web application.", "web application of today."],
  ["a renamed test", TEST, "the product is there", "the product is here"],
  ["a moved number", TEST, "// specification: 1.2\n", "// specification: 1.1\n"],
  ["a table edited by hand", TABLE, "3 shown by tests", "5 shown by tests"],
])("%s makes the table out of date until it is written again", async (_, path, from, to) => {
  const content = await readFile(join(project, path), "utf8");
  await write({ [path]: content.replace(from, to) });
  expect(check()).toEqual([`${TABLE} is out of date: npm run specification`]);
  expect(holdSpecification(project)).toEqual([]);
  expect(check()).toEqual([]);
});

test("reports a sentence that has a test but is marked open or settled", async () => {
  expect(await change(TEST, "// specification: 0.1\n", "// specification: 0.1, 0.2, 1.3\n")).toEqual([
    "0.2 is shown by a test and settled: it can be one of these",
    "1.3 is shown by a test and open: it can be one of these",
  ]);
});

test("reports a sentence that is settled by a missing file or by nothing", async () => {
  expect(await change(SENTENCES, "earning-rules.ts", "no-rules.ts")).toEqual([
    "0.2 is settled by server/no-rules.ts, which is gone",
  ]);
  expect(await change(SENTENCES, "[the rules](../../server/no-rules.ts)", "us")).toEqual(["0.2 is settled by nothing"]);
});

test("reports a gap in the numbers", async () => {
  expect(await change(SENTENCES, "- 1.2 It", "- 1.5 It")).toEqual([
    '1.5 is not the next number of "1. Help"',
    "1.5 has no test: It is searched.",
    `${TEST}:8 marks 1.2, which is no sentence`,
    `${TEST}:15 marks 1.2, which is no sentence`,
  ]);
});

function run(...args: string[]) {
  const { status, stderr } = spawnSync(process.execPath, [...QUICK_EXIT, COMMAND, ...args], {
    cwd: project,
    encoding: "utf8",
  });
  return { status, stderr };
}

test("the command writes the table, and with --check only reports what is wrong", async () => {
  await write({ [TABLE]: "another" });
  const stale = { status: 1, stderr: `${TABLE} is out of date: npm run specification\n` };
  expect([run("--check"), run("--check"), run(), run("--check")]).toEqual([
    stale,
    stale,
    { status: 0, stderr: "" },
    { status: 0, stderr: "" },
  ]);
});
