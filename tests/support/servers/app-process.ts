import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSessionCookie } from "../../../app/session/session.ts";
import { addAdministrator } from "../../../server/administration/service.ts";
import { announce } from "../../../server/announcements/announce.queries.ts";
import { countJobs } from "../../../server/agent-insights/jobs.ts";
import { createPasswordHasher } from "../../../server/auth/password/password-hasher.ts";
import { registerMember, type NewMember } from "../../../server/auth/sign-up/registration.ts";
import { openDatabase } from "../../../server/db/client.ts";
import { inTransaction } from "../../../server/db/transaction.ts";
import { readEnv } from "../../../server/env.ts";
import { createHeartbeatRecorder } from "../../../server/heartbeats/recording.ts";
import { countBeats } from "../../../server/heartbeats/service.ts";
import { acceptDocument } from "../../../server/legal/service.ts";
import { createLog } from "../../../server/log/log.ts";
import { onboardMember } from "../../../server/onboarding/service.ts";
import { postPoints } from "../../../server/points/service.ts";
import { recordReferral } from "../../../server/referrals/service.ts";
import { completeCampaign } from "../../../server/campaigns/completions.ts";
import { saveCampaigns } from "../../../server/campaigns/service.ts";
import { startSession } from "../../../server/sessions/service.ts";
import { startServer } from "../../../server/boot/start.ts";
import { BY_OPERATOR } from "../api/administration.ts";
import { hourlyBeats } from "../seeds/beats.ts";
import { dumpDatabase } from "../database/dump-database.ts";
import { openTestDatabase } from "../database/test-database.ts";
import type { AppOptions, AppRequest, AppResponse, Seeds } from "../app-messages.ts";
import { BOTH_DOCUMENTS, createTestDeps, NO_CLIENT, TEST_PASSWORD } from "../api/api.ts";
import { waitForMail } from "../api/mailbox.ts";

/*
 * Runs a whole server in its own process, for browser journeys and benchmarks. The parent requests members and their
 * history over IPC; the services themselves create them.
 */

const DAY_MS = 24 * 60 * 60 * 1000;

const options = JSON.parse(process.argv[2] ?? "{}") as AppOptions;
const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "nodebeat-app-"));
if (!options.dataDir) process.once("exit", () => rmSync(dataDir, { recursive: true, force: true }));
const env = readEnv({
  DATA_DIR: dataDir,
  PORT: "0",
  HOST: "127.0.0.1",
  SESSION_SECRET: "a secret of the tests, long enough for a key",
  LOG_LEVEL: "info",
  // So that each test can use its own address, with its own rate limits.
  TRUSTED_PROXIES: "127.0.0.1",
  ...options.settings,
});
const log = createLog({ level: env.logLevel });
const { databaseUrl } = options;
const database =
  databaseUrl || options.dataDir
    ? await openDatabase({ ...(databaseUrl && { databaseUrl }), databasePoolSize: env.databasePoolSize, dataDir, log })
    : await openTestDatabase();
const deps = createTestDeps(database, { env, log, passwords: createPasswordHasher() });
// Hashing yields to everything else, including a busy browser, so hash only once.
const passwordHash = await deps.passwords.hash(TEST_PASSWORD);
const recordHeartbeats = createHeartbeatRecorder(deps);
// Tests fill in forms faster than people.
const engines = { turnstileVerifyUrl: options.turnstileVerifyUrl, minFillMs: 0 };
const servers = await startServers();

const seeds: Seeds = {
  async member({ administrator, onboarded = true, whitelisted = false, accepted = BOTH_DOCUMENTS, ...more }) {
    const { heartbeats = 0, ...known } = more;
    const { email = `${crypto.randomUUID()}@nodebeat.test` } = known;
    const member: NewMember = { ...known, email, passwordHash, isWhitelisted: whitelisted };
    const { id: userId, personalCode } = await registerMember(deps, member);
    if (onboarded) await onboardMember(deps, userId);
    if (administrator) await addAdministrator(deps, BY_OPERATOR, { member: userId });
    for (const document of accepted) await acceptDocument(deps, userId, document);
    await inTransaction(database.db, (tx) => countBeats(tx, hourlyBeats(userId, heartbeats, new Date()), env));
    const { token } = await startSession(deps, { userId, client: NO_CLIENT, byPassword: true });
    const cookie = await createSessionCookie(undefined).commit({ accessToken: token, userId });
    const [name = "", value = ""] = cookie.split(";")[0]?.split("=", 2) ?? [];
    return { userId, email, password: TEST_PASSWORD, personalCode, token, cookie: { name, value } };
  },

  async announce(userId) {
    const about = { type: "member.verified", subject: userId, data: { memberId: userId } } as const;
    await inTransaction(database.db, (tx) => announce(tx, { ...about, at: new Date() }));
  },

  async administrator(userId) {
    await addAdministrator(deps, BY_OPERATOR, { member: userId });
  },

  async post(userId, entries) {
    const now = Date.now();
    await inTransaction(database.db, (tx) =>
      postPoints(
        tx,
        entries.map(({ category, comment, daysAgo = 0, points }, index) => ({
          userId,
          rule: { source: "test", rule: "test", version: 1, category },
          sourceId: crypto.randomUUID(),
          points,
          comment,
          occurredAt: new Date(now - daysAgo * DAY_MS - index),
        })),
      ),
    );
  },

  async beat(userId, timestamps) {
    await recordHeartbeats({ userId }, { beats: timestamps.map((timestamp) => ({ timestamp })) });
  },

  async friend(inviterId, { heartbeats = 0, wallet = false, email = `${crypto.randomUUID()}@nodebeat.test` }) {
    const newcomer = { email, passwordHash, ...(wallet && { wallet: `0x${crypto.randomUUID()}` }) };
    const { id: inviteeId } = await registerMember(deps, newcomer);
    const at = new Date();
    await inTransaction(database.db, async (tx) => {
      await countBeats(tx, hourlyBeats(inviteeId, heartbeats, at), env);
      await recordReferral(tx, { inviterId, inviteeId, at });
    });
    return email;
  },

  async campaigns(userId, campaigns) {
    await inTransaction(database.db, async (tx) => {
      for (const { completed, ...campaign } of campaigns) {
        await saveCampaigns(tx, [campaign]);
        if (completed) await completeCampaign(tx, { userId, campaignId: campaign.id, at: new Date() });
      }
    });
  },

  async jobs(userId, jobs) {
    const finished = jobs.map(({ daysAgo, kind, title }) => {
      const finishedAt = new Date(Date.now() - daysAgo * DAY_MS);
      const reference = crypto.randomUUID();
      const items = [{ kind, reference, title }];
      return { userId, reference, finishedAt, receivedAt: finishedAt, resultSize: 1500, items };
    });
    await inTransaction(database.db, (tx) => countJobs(tx, finished, env));
  },

  mail: (to, count) => waitForMail(join(dataDir, "mail"), to, count),

  dump: () => dumpDatabase(database.db),

  async leave() {
    for (const server of servers) server.leave();
  },
};

process.on("message", (request: AppRequest) => {
  void answer(request).then((response) => process.send?.(response));
});

process.once("SIGTERM", () => void stop().then(() => process.exit(0)));
process.once("disconnect", () => process.exit(1));

process.send?.({ url: servers.at(-1)?.url });

/** Starts the servers. The last one serves the pages; with the HTTP transport, the one before it is its backend. */
async function startServers() {
  const backend = await startServer(env, { database, log, engines, databaseTimeLimit: options.databaseTimeLimit });
  if (options.transport !== "http") return [backend];
  return [
    backend,
    await startServer({ ...env, apiUrl: backend.url, authApiUrl: backend.url }, { database, log, engines }),
  ];
}

async function stop() {
  for (const server of servers) await server.close();
  await database.close();
}

async function answer({ id, seed, input }: AppRequest): Promise<AppResponse> {
  try {
    // start-app.ts has checked that input and seed match.
    const run = seeds[seed] as (...input: unknown[]) => Promise<unknown>;
    return { id, result: await run(...input) };
  } catch (error) {
    return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
