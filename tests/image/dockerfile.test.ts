import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
const stages = read("Dockerfile").split(/^FROM .*$/m);
const image = stages.at(-1) ?? "";
const ignored = read(".dockerignore").split("\n");

test("the image runs in production mode, as a user who owns only its data", () => {
  expect(image).toMatch(/^ENV NODE_ENV=production /m);
  const [before = "", after] = image.split(/^USER [1-9]\d*:[1-9]\d*$/m);
  expect(after).toBeDefined();
  expect(before.match(/chown .*/g)).toEqual(["chown 10001:10001 /data"]);
  expect(before).not.toContain("COPY --chown");
  expect(after).not.toMatch(/^(?:USER|COPY|RUN|ADD)/m);
});

test("the image contains only what the server needs: no history, secrets, tests or tools", () => {
  const copied = Array.from(image.matchAll(/^COPY (?:--from=\w+ )?(.+) \S+$/gm), ([, names = ""]) => names.split(" "));
  expect(copied.flat()).toEqual([
    "/nodebeat/node_modules",
    "/app/build",
    "/nodebeat/sbom.cdx.json",
    "package.json",
    "brand.ts",
    "server",
    "node",
  ]);
  expect(stages.find((stage) => stage.includes("> sbom.cdx.json"))).toContain("npm ci --omit=dev ");
  for (const name of [".git", ".env", "data", "tests", "**/*.test.ts", "**/*.fixture.ts"])
    expect(ignored).toContain(name);
});
