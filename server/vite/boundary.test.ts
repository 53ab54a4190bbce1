import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { boundaryPlugin } from "./boundary.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
let project: string;

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), "nodebeat-boundary-"));
  await add("server/points/contract.ts", `export const limit = 10;`);
  await add("server/points/service.ts", `export const secret = "only for the server";`);
  await add("server/leaky/contract.ts", `export { secret } from "../points/service.ts";`);
  await add("app/brand.ts", `export const brand = "Nodebeat";`);
});
afterEach(() => rm(project, { recursive: true }));

async function add(path: string, content: string) {
  await mkdir(dirname(join(project, path)), { recursive: true });
  await writeFile(join(project, path), content);
}

/** Builds one file for the browser or the server, and lints the project with the repository's own rules. */
async function check(path: string, content: string, { ssr = false } = {}) {
  await add(path, content);
  const built = build({
    root: project,
    configFile: false,
    logLevel: "silent",
    plugins: [boundaryPlugin()],
    build: { ssr, write: false, rollupOptions: { input: join(project, path) } },
  });
  const failure = await built.then(
    () => undefined,
    (error: Error) => error.message,
  );
  for (const file of [".oxlintrc.json", "tests/lint/floors.ts", "tests/lint/engines.ts"])
    await cp(join(root, file), join(project, file));
  const lint = spawnSync(join(root, "node_modules/.bin/oxlint"), ["--format", "unix"], {
    cwd: project,
    encoding: "utf8",
  });
  return { failure, isLinted: lint.stdout.split("\n").some((line) => line.includes("no-restricted-imports")) };
}

test("the application may import a contract, in the browser and on the server", async () => {
  const island = `import { limit } from "../../server/points/contract.ts"; console.log(limit);`;
  expect(await check("app/points/log.island.ts", island)).toEqual({ failure: undefined, isLinted: false });
  expect((await check("app/points/log.island.ts", island, { ssr: true })).failure).toBeUndefined();
});

test("an island that imports a server file fails the build and the linter", async () => {
  const island = `import { secret } from "../../server/points/service.ts"; console.log(secret);`;
  const { failure, isLinted } = await check("app/points/log.island.ts", island);
  expect(failure).toContain(
    "app/points/log.island.ts imports server/points/service.ts: the application may import only",
  );
  expect(isLinted).toBe(true);
});

test("a loader that imports a server file fails the build, though its imports never reach the browser", async () => {
  const loader = `import { secret } from "../../server/points/service.ts"; export const loader = () => secret;`;
  expect((await check("app/points/log.route.ts", loader, { ssr: true })).failure).toContain("may import only");
});

test("a contract that exports server code to the browser fails the build", async () => {
  const island = `import { secret } from "../../server/leaky/contract.ts"; console.log(secret);`;
  const { failure } = await check("app/points/log.island.ts", island);
  expect(failure).toContain("server/points/service.ts is server code and must not reach the browser.");
});

test("a server file that imports the application fails the build and the linter", async () => {
  const service = `import { brand } from "../app/brand.ts"; console.log(brand);`;
  const { failure, isLinted } = await check("server/mail.ts", service, { ssr: true });
  expect(failure).toContain("server/mail.ts imports app/brand.ts: the server never imports the application");
  expect(isLinted).toBe(true);
});

test("server/pages.ts may import the application", async () => {
  const pages = `import { brand } from "../app/brand.ts"; export const pages = brand;`;
  expect(await check("server/pages.ts", pages, { ssr: true })).toEqual({ failure: undefined, isLinted: false });
});
