import { defineConfig } from "vitest/config";
import shared from "../../vitest.config.ts";

const { projects = [], ...settings } = shared.test ?? {};
const tests = (process.env.MUTATED_TESTS ?? "server")
  .split(",")
  .map((place) => (place.endsWith(".test.ts") ? place : `${place}/**/*.test.ts`));
/** The tests of code that runs in its own process, where no mutant can be activated. */
const ELSEWHERE = ["**/*.command.test.ts", "**/killed.test.ts", "**/node-process.test.ts"];

/** Only the tests of what is mutated, on PostgreSQL: each mutant needs a database, and a copy there takes no time. */
export default defineConfig({
  test: {
    ...settings,
    // A mutant often makes a test wait for what never comes, and there are hundreds of mutants.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
    projects: projects.flatMap((project) =>
      typeof project === "object" && "test" in project && project.test?.name === "postgres"
        ? [
            {
              ...project,
              test: {
                ...project.test,
                include: tests,
                exclude: ["build/**", ...ELSEWHERE],
                setupFiles: ["tests/mutation/stop-after-failure.ts"],
              },
            },
          ]
        : [],
    ),
  },
});
