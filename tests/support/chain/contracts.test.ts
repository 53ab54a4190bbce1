import { expect, test } from "vitest";
import { compileContracts } from "./compile.ts";
import artifacts from "./contracts/artifacts.json" with { type: "json" };

test("the committed bytecode matches the compiled sources", () => {
  expect(compileContracts()).toEqual(artifacts);
});
