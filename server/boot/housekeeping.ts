import { oldJobs as oldFinishedJobs } from "../agent-insights/jobs.queries.ts";
import { OLD_RESETS } from "../auth/reset/password-reset.queries.ts";
import { OLD_SIGN_UPS } from "../auth/sign-up/sign-up.queries.ts";
import { SPENT_TOKENS } from "../bot-check/queries.ts";
import { OLD_CAMPAIGN_EMAILS } from "../campaign-mail/queries.ts";
import { OLD_EMAIL_CHANGES } from "../email-change/queries.ts";
import type { Deps } from "../deps.ts";
import type { Env } from "../env.ts";
import { oldRefusedBeats } from "../heartbeats/refused-beats.queries.ts";
import { prune } from "../jobs/prune.ts";
import { oldJobs } from "../jobs/queries.ts";
import { UNUSED_LIMITS } from "../rate-limits/queries.ts";
import { oldEvents, OLD_EVENTS_OF_NOBODY } from "../security-activity/queries.ts";
import { ENDED_SESSIONS, FORGOTTEN_DEVICES } from "../sessions/queries.ts";
import { OLD_DAYS, OLD_INCIDENTS, OLD_SAMPLES } from "../status/queries.ts";
import { SPENT_NONCES } from "../wallet/queries.ts";
import { OLD_ANNOUNCEMENTS } from "../webhooks/outgoing.queries.ts";
import { OLD_MESSAGES } from "../webhooks/queries.ts";

type Retention = Pick<
  Env,
  "deadJobRetentionDays" | "jobRetentionDays" | "refusedBeatRetentionDays" | "securityRetentionDays"
>;

/** Everything that is removed once it expires. */
export const listPruned = (env: Retention) => ({
  sessions: ENDED_SESSIONS,
  devices: FORGOTTEN_DEVICES,
  signUps: OLD_SIGN_UPS,
  passwordResets: OLD_RESETS,
  botChecks: SPENT_TOKENS,
  limits: UNUSED_LIMITS,
  events: oldEvents(env.securityRetentionDays),
  eventsOfNobody: OLD_EVENTS_OF_NOBODY,
  campaignEmails: OLD_CAMPAIGN_EMAILS,
  emailChanges: OLD_EMAIL_CHANGES,
  refusedBeats: oldRefusedBeats(env.refusedBeatRetentionDays),
  finishedJobs: oldFinishedJobs(env.jobRetentionDays),
  walletNonces: SPENT_NONCES,
  webhookMessages: OLD_MESSAGES,
  announcements: OLD_ANNOUNCEMENTS,
  statusSamples: OLD_SAMPLES,
  statusDays: OLD_DAYS,
  incidents: OLD_INCIDENTS,
  jobs: oldJobs(env.deadJobRetentionDays),
});

/** Removes a bounded number of expired rows of each kind. Returns how many. */
export const pruneExpired = ({ db, env, now }: Pick<Deps, "db" | "env" | "now">) => prune({ db, now }, listPruned(env));
