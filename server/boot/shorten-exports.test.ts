import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const SCRIPT = join(import.meta.dirname, "shorten-exports.mjs");

test("keeps only the folders among Drizzle's exports, even if it runs twice", () => {
  const folder = mkdtempSync(join(tmpdir(), "nodebeat-exports-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "node_modules/drizzle-orm/package.json");
  mkdirSync(join(folder, "node_modules/drizzle-orm"), { recursive: true });
  const names = [".", "./pg-core", "./pglite/migrator"];
  const entries = [...names, "./pg-core/columns/uuid", "./pglite/driver"].map((name) => [name, { default: "./x.js" }]);
  writeFileSync(path, JSON.stringify({ name: "drizzle-orm", exports: Object.fromEntries(entries) }));

  for (const time of ["first", "second"]) {
    execFileSync(process.execPath, [SCRIPT], { cwd: folder });
    const manifest = JSON.parse(readFileSync(path, "utf8"));
    expect([time, manifest.name, Object.keys(manifest.exports)]).toEqual([time, "drizzle-orm", names]);
  }
});

test("the exports of the installed Drizzle package are shortened", () => {
  expect(readFileSync(join(import.meta.dirname, "../../node_modules/drizzle-orm/package.json")).length).toBeLessThan(
    40_000,
  );
});

test("does nothing if Drizzle is not installed", () => {
  const folder = mkdtempSync(join(tmpdir(), "nodebeat-exports-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(execFileSync(process.execPath, [SCRIPT], { cwd: folder, encoding: "utf8" })).toBe("");
});
