import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { BARE_ENV } from "./bare-env.ts";

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync("package.json", "utf8")));
const commands = Object.entries(scripts).flatMap(([name, script]): [string, string][] => {
  const file = /^node (tests\/\S+\.ts)$/.exec(script)?.[1];
  return file ? [[name, file]] : [];
});

/**
 * What a command says that ends before it does anything which takes long. A process that ends while V8 still compiles
 * in the background may never do so (https://github.com/nodejs/node/issues/54918): nothing is compiled there.
 */
async function run(file: string, option: string, settings: Record<string, string> = {}) {
  const child = spawn(process.execPath, ["--single-threaded", file, option], { env: { ...BARE_ENV, ...settings } });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, said: out + err };
}

test("there are commands of tests and benches, and they say how they are used", async () => {
  expect(commands.map(([name]) => name)).toEqual(expect.arrayContaining(["image", "simulate", "bench:load"]));
  const help = await run("tests/simulator/simulate.command.ts", "--help");
  expect(help).toEqual({ code: 0, said: expect.stringContaining("npm run simulate") });
});

test.each(commands)("npm run %s does nothing where it is told what it does not know", async (name, file) => {
  const unknown = await run(file, "--nonsense");
  expect(unknown).toEqual({ code: 2, said: expect.stringMatching(/^Unknown option '--nonsense'/) });
  expect(unknown.said).toContain(`npm run ${name}`);
});

test.each([
  ["tests/simulator/simulate.command.ts", "--seeds=9..1", "Seeds are whole numbers, the lower one first"],
  ["tests/deployment/rolling.command.ts", "--proxy=apache", "There is no proxy apache"],
  ["tests/deployment/previous.command.ts", "--rate=1e1", "--rate has to be a whole number of 1 or more"],
  ["tests/bench/fairness.ts", "nonsense", "There is no nonsense"],
  ["tests/faults/faults.command.ts", "nonsense", "There is no fault nonsense"],
])("%s %s is refused with a sentence, and is no success", async (file, option, sentence) => {
  expect(await run(file, option)).toEqual({ code: 2, said: expect.stringContaining(sentence) });
});

test("a bench begins nothing where its environment has a word for a number", async () => {
  const said = expect.stringContaining("BENCH_REQUESTS has to be a whole number");
  expect(await run("tests/bench/pages.ts", "--", { BENCH_REQUESTS: "many" })).toEqual({ code: 2, said });
});
