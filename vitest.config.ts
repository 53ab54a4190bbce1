import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";

const onPostgres = [
  "account-data",
  "adjustments",
  "administration",
  "agent-insights",
  "auth",
  "background-work",
  "bot-check",
  "campaign-mail",
  "campaigns",
  "email-change",
  "fair-share",
  "heartbeats",
  "jobs",
  "legal",
  "live",
  "machine-id",
  "mail",
  "member-administration",
  "onboarding",
  "points",
  "profile",
  "rate-limits",
  "referrals",
  "rewards",
  "security-activity",
  "sessions",
  "silence-mail",
  "status",
  "wallet",
  "webhooks",
  "whitelist",
];
const apiSuite = `server/{${onPostgres.join(",")}}/**/*.test.ts`;

// Workers, and processes that tests start, load what earlier ones have compiled.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("node_modules/.cache/node", import.meta.url));

/** The programs of the oldest supported PostgreSQL, where Debian installs them. */
const OLDEST = "/usr/lib/postgresql/15/bin";

/**
 * The API suite runs twice: on the embedded database, with everything else but the pages, and on a real PostgreSQL.
 */
export default defineConfig({
  test: {
    environment: "node",
    pool: "forks",
    // A worker keeps its modules and its database for all of its files.
    isolate: false,
    // Many tests wait for a process or a disk, so four files run at once even on two cores.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    // A busy machine must not fail a test. Only something that never ends should.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
    // As in a page, a style sheet is imported as its address.
    css: { include: /\.css\?url$/ },
    setupFiles: ["tests/support/fail-on-console.ts", "tests/support/leave-no-trace.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "embedded",
          include: ["server/**/*.test.ts", "node/**/*.test.ts", "tests/**/*.test.ts"],
          // These need more than one process on a database.
          exclude: [...configDefaults.exclude, "build/**", "**/*.postgres.test.ts"],
          env: { TEST_DATABASE_URL: "" },
          globalSetup: ["tests/support/temporary-folder.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "pages",
          // These wait only for the processor, and each worker loads the whole app. They run after the others.
          maxWorkers: Math.max(2, availableParallelism() - 1),
          sequence: { groupOrder: 1 },
          include: ["app/**/*.test.{ts,tsx}"],
          env: { TEST_DATABASE_URL: "" },
          globalSetup: ["tests/support/temporary-folder.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "postgres",
          // Tests that run only here may be in any folder.
          include: [apiSuite, "server/db/*.test.ts", "server/**/*.postgres.test.ts"],
          // Tests that start their own processes on a folder, or their own PostgreSQL, are the same on any database.
          // So are tests of a stand-in, a mail server, signatures, hashes, or which calls have which limit.
          exclude: [
            ...configDefaults.exclude,
            "**/*.command.test.ts",
            "**/*.crash.test.ts",
            "**/carried-over.test.ts",
            "server/auth/password/password-hasher.test.ts",
            "server/bot-check/turnstile.test.ts",
            "server/db/postgres.test.ts",
            // It waits for the clock, and server/index.live.test.ts runs on PostgreSQL.
            "server/live/live.test.ts",
            "server/machine-id/signatures.test.ts",
            "server/mail/smtp.test.ts",
            "server/rate-limits/rules.test.ts",
            "server/wallet/forgery.property.test.ts",
            "**/supabase-{failures,garbage,refusals}.test.ts",
          ],
          globalSetup: ["tests/support/database/postgres-setup.ts"],
        },
      },
      // Tests that depend most on the version. `TEST_POSTGRES_BIN=… --project postgres` runs all of them there.
      ...(existsSync(OLDEST)
        ? [
            {
              extends: true as const,
              test: {
                // Projects run in the order of their names. This one waits most, so it comes before busy ones.
                name: "oldest-postgres",
                include: [
                  "server/db/*.postgres.test.ts",
                  "server/db/postgres.test.ts",
                  "server/jobs/roles.postgres.test.ts",
                ],
                env: { TEST_POSTGRES_BIN: OLDEST },
                globalSetup: ["tests/support/database/postgres-setup.ts"],
              },
            },
          ]
        : []),
    ],
  },
});
