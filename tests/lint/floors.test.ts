import { expect, test } from "vitest";
import { lintFiles } from "./lint-files.ts";

const lint = (files: Record<string, string>) => lintFiles(files, "floors");

const FORM = `export const form = 1;`;

test("a folder may import from itself and from folders below it", async () => {
  const found = await lint({
    "app/forms/form.ts": FORM,
    "app/rewards/rules.ts": `export const rule = 1;`,
    "app/rewards/claim.ts": `import { form } from "../forms/form.ts"; import { rule } from "./rules.ts"; export const claim = form + rule;`,
  });
  expect(found).toEqual([]);
});

/** Imports that a folder below must not make, each in its own file. */
const UPWARDS = {
  "an import": `import { claim } from "../rewards/claim.ts"; export const form = claim;`,
  "a type": `import type { claim } from "../rewards/claim.ts"; export type Form = typeof claim;`,
  "an import that is made later": `export const load = () => import("../rewards/claim.ts");`,
  "what is handed on": `export { claim } from "../rewards/claim.ts";`,
  "the type of a module": `export type Form = typeof import("../rewards/claim.ts");`,
};

test("reports every kind of import from a folder above", async () => {
  const forms = Object.values(UPWARDS).map((content, index) => [`app/forms/form-${index}.ts`, content]);
  const found = await lint({ "app/rewards/claim.ts": `export const claim = 1;`, ...Object.fromEntries(forms) });
  const ways = found.map((line) => Object.keys(UPWARDS)[Number(/form-(\d)/.exec(line)?.[1])]);
  expect(ways).toHaveLength(Object.keys(UPWARDS).length);
  expect(new Set(ways)).toEqual(new Set(Object.keys(UPWARDS)));
  for (const line of found)
    expect(line).toContain("app/forms may not import app/rewards, which does not stand below it.");
});

test("reports a server engine that imports a feature", async () => {
  const found = await lint({
    "server/referrals/service.ts": `export const friends = 1;`,
    "server/points/service.ts": `import { friends } from "../referrals/service.ts"; export const points = friends;`,
  });
  expect(found).toHaveLength(1);
});

test("reports a folder that has no floor yet", async () => {
  const found = await lint({
    "app/forms/form.ts": FORM,
    "app/novelty/page.ts": `import { form } from "../forms/form.ts"; export const page = form;`,
  });
  expect(found[0]).toContain("app/novelty stands on no floor yet");
});
