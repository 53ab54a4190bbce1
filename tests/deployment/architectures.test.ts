import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Package = { dev?: boolean; os?: string[]; cpu?: string[]; optional?: boolean };

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, Package> };

/** Packages that the image takes from its Node image, or leaves out. */
const NOT_IN_IMAGE = /node-linux-|@foundry-rs/;

test("every native dependency in the image exists for x64 and for arm64", () => {
  const native = Object.entries(packages).filter(
    ([name, { cpu, dev, os }]) => !dev && os?.includes("linux") && cpu?.includes("x64") && !NOT_IN_IMAGE.test(name),
  );
  expect(native.length).toBeGreaterThan(1);
  for (const [name] of native) expect(packages).toHaveProperty([name.replace("x64", "arm64"), "cpu"], ["arm64"]);
});

test("the Dockerfile names no architecture", () => {
  expect(read("Dockerfile")).not.toMatch(/x64|x86|amd64|arm64|--platform/i);
});
