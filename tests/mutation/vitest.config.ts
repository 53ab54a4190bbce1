import { defineConfig } from "vitest/config";
import shared from "../../vitest.config.ts";

const { projects = [], ...settings } = shared.test ?? {};
const tests = (process.env.MUTATED_TESTS ?? "server")
  .split(",")
  .map((place) => (place.endsWith(".test.ts") ? place : `${place}/**/*.test.ts`));
/** What these ask runs in processes of their own, where no mutant can be switched on. */
const ELSEWHERE = ["**/*.command.test.ts", "**/killed.test.ts", "**/node-process.test.ts"];

/** The embedded project alone, with the tests of what is mutated. */
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
