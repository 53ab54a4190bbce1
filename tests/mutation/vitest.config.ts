import { defineConfig } from "vitest/config";
import shared from "../../vitest.config.ts";

const { projects = [], ...settings } = shared.test ?? {};
const tests = (process.env.MUTATED_TESTS ?? "server").split(",").map((folder) => `${folder}/**/*.test.ts`);

/** The embedded project alone, with the tests of what is mutated. */
export default defineConfig({
  test: {
    ...settings,
    projects: projects.flatMap((project) =>
      typeof project === "object" && "test" in project && project.test?.name === "embedded"
        ? [{ ...project, test: { ...project.test, include: tests } }]
        : [],
    ),
  },
});
