import { expect, test } from "vitest";
import { explainOldNode } from "./check-node.mjs";

const linux = { platform: "linux", arch: "x64", isGlibc: true };
const alpine = { ...linux, isGlibc: false };
const mac = { platform: "darwin", arch: "arm64", isGlibc: false };

test.each([
  ["install", { ...linux, version: "20.0.0" }],
  ["install", { ...linux, arch: "arm64", version: "22.1.0" }],
  ["install", { ...alpine, version: "24.0.0" }],
  ["run", { ...linux, version: "24.21.0" }],
  ["run", { ...mac, version: "26.0.0" }],
] as const)("this Node.js is new enough to %s: %o", (purpose, machine) => {
  expect(explainOldNode(machine, purpose)).toBeUndefined();
});

test.each([
  ["install", { ...linux, version: "18.20.8" }, "needs Node 20 or newer, and this is Node 18.20.8. Get it at https://"],
  ["install", { ...alpine, version: "22.1.0" }, "needs Node 24 or newer, and this is Node 22.1.0. Get it at https://"],
  ["install", { ...linux, arch: "riscv64", version: "22.1.0" }, "needs Node 24 or newer"],
  ["install", { ...mac, version: "22.1.0" }, "needs Node 24 or newer"],
  ["run", { ...linux, version: "20.19.0" }, "this is Node 20.19.0. `npm ci` brings one, which `npm start` uses."],
  ["run", { ...mac, version: "22.1.0" }, "Get it at https://nodejs.org"],
] as const)("this Node.js is too old to %s: %o", (purpose, machine, sentence) => {
  expect(explainOldNode(machine, purpose)).toContain(sentence);
});
