import { defineConfig } from "vitest/config";
import shared from "../../vitest.config.ts";

const { projects = [], ...settings } = shared.test ?? {};
const tests = (process.env.MUTATED_TESTS ?? "server")
  .split(",")
  .map((place) => (place.endsWith(".test.ts") ? place : `${place}/**/*.test.ts`));
/** The tests of code that runs in its own process, where no mutant can be activated. */
const ELSEWHERE = ["**/*.command.test.ts", "**/killed.test.ts", "**/node-process.test.ts"];

/** Only the embedded project, with the tests of what is mutated. */
export default defineConfig({
  test: {
    ...settings,
    projects: projects.flatMap((project) =>
      typeof project === "object" && "test" in project && project.test?.name === "embedded"
        ? [
            {
              ...project,
              test: { ...project.test, include: tests, exclude: [...(project.test.exclude ?? []), ...ELSEWHERE] },
            },
          ]
        : [],
    ),
  },
});
