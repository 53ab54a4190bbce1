import { expect, test } from "vitest";
import { compileContracts } from "./compile.ts";
import artifacts from "./contracts/artifacts.json" with { type: "json" };

test("the committed bytecode is what the sources compile to", () => {
  expect(compileContracts()).toEqual(artifacts);
});
