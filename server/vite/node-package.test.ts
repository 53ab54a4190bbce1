import { execFile } from "node:child_process";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packNode } from "./node-package.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);
let folder: string;
let installed: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "nodebeat-package-"));
  const file = join(folder, "site/node/nodebeat-node.tgz");
  await packNode(root, file);
  // As on a member's machine, which has only npm. Without a network, because nothing else is needed.
  await run("npm", ["install", "--global", "--prefix", folder, "--offline", "--no-audit", "--silent", file], {
    cwd: folder,
  });
  installed = join(folder, "lib/node_modules/nodebeat-node");
});
afterAll(() => rm(folder, { recursive: true }));

test("the package has one script and no dependencies, and packing it leaves nothing else in the site", async () => {
  expect((await readdir(installed, { recursive: true })).toSorted()).toEqual([
    "LICENSE-zod",
    "README.md",
    "nodebeat-node.mjs",
    "package.json",
  ]);
  const described = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
  expect(described).toMatchObject({ name: "nodebeat-node", engines: { node: ">=20.3" } });
  expect(described).not.toHaveProperty("dependencies");
  expect(await readdir(join(folder, "site/node"))).toEqual(["nodebeat-node.tgz"]);
});

test("the package contains the client and nothing of the server or of the machine that built it", async () => {
  const script = await readFile(join(installed, "nodebeat-node.mjs"), "utf8");
  expect(script).toContain("NODEBEAT_KEY");
  for (const word of [root, "SESSION_SECRET", "drizzle", "node:http", "demo-node.json"])
    expect(script).not.toContain(word);
});

test("the command of the package prints its usage", async () => {
  const { stdout } = await run(join(folder, "bin/nodebeat-node"), ["--help"], { cwd: folder });
  expect(stdout).toContain("NODEBEAT_KEY=KEY nodebeat-node --url URL");
});

test("the command says which Node.js it needs if the installed one is too old", async () => {
  const old = "data:text/javascript,delete AbortSignal.any";
  const started = run(
    process.execPath,
    ["--import", old, join(installed, "nodebeat-node.mjs"), "--url", "http://127.0.0.1:1"],
    { cwd: folder, env: { HOME: folder, NODEBEAT_KEY: `nbd_${"a".repeat(43)}` } },
  );
  const stderr = `This is Node.js ${process.versions.node}, and the node needs 20.3 or newer: https://nodejs.org\n`;
  await expect(started).rejects.toMatchObject({ code: 1, stderr });

  // A named import that does not exist would end the program before its first line. Node.js 18.17 lacks this one.
  const script = await readFile(join(installed, "nodebeat-node.mjs"), "utf8");
  expect(script).not.toMatch(/^import .*setDefaultAutoSelectFamilyAttemptTimeout/m);
});
