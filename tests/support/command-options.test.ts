import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { BARE_ENV } from "./servers/bare-env.ts";
import { QUICK_EXIT } from "./servers/quick-engine.ts";
import type { Typed } from "./command-options.fixture.ts";

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync("package.json", "utf8")));
const commands = Object.entries(scripts).flatMap(([name, script]): [string, string][] => {
  const file = /^node (tests\/\S+\.ts)$/.exec(script)?.[1];
  return file ? [[name, file]] : [];
});

const refused = [
  ["tests/simulator/simulate.command.ts", "--seeds=9..1", "Seeds are whole numbers, the lower one first"],
  ["tests/deployment/rolling.command.ts", "--proxy=apache", "There is no proxy apache"],
  ["tests/deployment/previous.command.ts", "--rate=1e1", "--rate has to be a whole number of 1 or more"],
  ["tests/bench/fairness.ts", "nonsense", "There is no nonsense"],
  ["tests/faults/faults.command.ts", "nonsense", "There is no fault nonsense"],
] as const;

const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
});

/** Runs a command that ends before it does anything slow, and returns its output. */
async function run(file: string, option: string, settings: Record<string, string> = {}) {
  const child = spawn(process.execPath, [...QUICK_EXIT, file, option], { env: { ...BARE_ENV, ...settings } });
  started.push(child);
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, said: out + err };
}

const Ending = z.object({ code: z.union([z.number(), z.string()]), said: z.string() });
const endings = new Map<string, z.infer<typeof Ending>>();

/** Runs many commands in one process. */
beforeAll(async () => {
  const typed: Typed[] = [
    ...commands.map(([, file]) => ({ file, option: "--nonsense" })),
    ...refused.map(([file, option]) => ({ file, option })),
  ];
  const fixture = fileURLToPath(new URL("command-options.fixture.ts", import.meta.url));
  const { said } = await run(fixture, JSON.stringify(typed));
  const lines = said.trimEnd().split("\n");
  for (const [nth, { file, option }] of typed.entries())
    endings.set(`${file} ${option}`, Ending.parse(JSON.parse(lines[nth] ?? "null")));
});

test("finds the commands of tests and benches, and --help shows how to use them", async () => {
  expect(commands.map(([name]) => name)).toEqual(expect.arrayContaining(["image", "simulate", "bench:load"]));
  const help = await run("tests/image/image.command.ts", "--help");
  expect(help).toEqual({ code: 0, said: expect.stringContaining("npm run image") });
});

test("a command exits with 2 on an unknown option or argument", async () => {
  const said = expect.stringMatching(/^Unknown option '--nonsense'/);
  expect(await run("tests/image/image.command.ts", "--nonsense")).toEqual({ code: 2, said });
  expect(await run("tests/bench/fairness.ts", "nonsense")).toMatchObject({ code: 2 });
});

test.each(commands)("npm run %s rejects an unknown option", (name, file) => {
  const unknown = endings.get(`${file} --nonsense`);
  expect(unknown).toEqual({ code: 2, said: expect.stringMatching(/^Unknown option '--nonsense'/) });
  expect(unknown?.said).toContain(`npm run ${name}`);
});

test.each(refused)("%s %s is rejected with a clear message and exit code 2", (file, option, sentence) => {
  expect(endings.get(`${file} ${option}`)).toEqual({ code: 2, said: expect.stringContaining(sentence) });
});

test("a bench does not start if an environment variable that it needs is not a number", async () => {
  const said = expect.stringContaining("BENCH_REQUESTS has to be a whole number");
  expect(await run("tests/bench/pages.ts", "--", { BENCH_REQUESTS: "many" })).toEqual({ code: 2, said });
});
