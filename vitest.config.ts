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

// The processes that tests start, and the workers, load what an earlier one has compiled.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("node_modules/.cache/node", import.meta.url));

/** Of the oldest PostgreSQL that is supported, as Debian has it. */
const OLDEST = "/usr/lib/postgresql/15/bin";

/**
 * The same API suite runs twice: on the embedded database with everything else but the pages, and on a real PostgreSQL.
 */
export default defineConfig({
  test: {
    environment: "node",
    pool: "forks",
    // A worker keeps what it has loaded, and its database, for all of its files.
    isolate: false,
    // Many tests wait for a process or a disk: on two cores, too, four files run at once.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    // What is waited for comes when it comes: a busy machine is no failure, only something that never ends is.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
    // As a page has it: a style sheet is its address.
    css: { include: /\.css\?url$/ },
    setupFiles: ["tests/support/fail-on-console.ts", "tests/support/leave-no-trace.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "embedded",
          include: ["server/**/*.test.ts", "node/**/*.test.ts", "tests/**/*.test.ts"],
          // What needs more than one process on a database.
          exclude: [...configDefaults.exclude, "build/**", "**/*.postgres.test.ts"],
          env: { TEST_DATABASE_URL: "" },
          globalSetup: ["tests/support/temporary-folder.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "pages",
          // These wait for nothing but the processor, and each worker loads the whole app. They come after the others.
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
          // What only runs here is found wherever it is.
          include: [apiSuite, "server/db/*.test.ts", "server/**/*.postgres.test.ts"],
          // What starts processes of its own on a folder, or a PostgreSQL of its own, is the same on any database. So
          // is what is about a stand-in, a mail server, signatures, hashes, or which calls have which limit.
          exclude: [
            ...configDefaults.exclude,
            "**/*.command.test.ts",
            "**/*.crash.test.ts",
            "**/carried-over.test.ts",
            "server/auth/password/password-hasher.test.ts",
            "server/bot-check/turnstile.test.ts",
            "server/db/postgres.test.ts",
            // It waits for the clock, and server/index.live.test.ts is on PostgreSQL.
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
      // What depends on the server most. `TEST_POSTGRES_BIN=… --project postgres` runs all of it there.
      ...(existsSync(OLDEST)
        ? [
            {
              extends: true as const,
              test: {
                // Projects come in the order of their names: before what keeps the processor busy, since it waits most.
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
