import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { Settings } from "./env.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (file: string) => readFileSync(`${root}${file}`, "utf8");
const elsewhere = globSync("{app,server}/**/*.{ts,tsx}", { cwd: root })
  .filter((file) => !/\.test\.tsx?$|^server\/env(-rules)?\.ts$/.test(file))
  .map(read)
  .join("\n");

/** The name of each setting in the code, as in `databaseUrl: settings.DATABASE_URL`. */
const names = new Map(
  Array.from(read("server/env.ts").matchAll(/^ {4}(\w+): .*?settings\.([A-Z_]+)/gm), ([, name = "", setting = ""]) => [
    setting,
    name,
  ]),
);

test("the code uses every setting", () => {
  const idle = Object.keys(Settings.shape).filter((setting) => {
    const name = names.get(setting);
    return !name || !new RegExp(`\\b${name}\\b`).test(elsewhere);
  });
  expect(idle).toEqual([]);
});
