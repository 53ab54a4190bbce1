import type { ApiClient } from "./client.ts";
import { fetchRules } from "./fetch-rules.ts";
import type { Read, ReadName, Reads } from "./reads.ts";

type Source<Name extends ReadName> = {
  /** The query parameters that the read proxy passes on. */
  params: readonly (keyof Reads[Name]["query"] & string)[];
  read: (api: ApiClient, query: Reads[Name]["query"]) => Promise<Reads[Name]["result"]>;
};

/** What may be read, and the call behind it. Nothing else is reachable through the read proxy. */
export const READ_SOURCES: { [Name in ReadName]: Source<Name> } = {
  user: { params: [], read: (api) => api.users.me() },
  stats: { params: [], read: (api) => api.users.stats() },
  rules: { params: [], read: fetchRules },
  whitelist: { params: [], read: (api) => api.users.isWhitelisted() },
  onboarded: { params: [], read: (api) => api.users.isOnboarded() },
  terms: { params: [], read: (api) => api.legal.termsStatus() },
  privacy: { params: [], read: (api) => api.legal.privacyStatus() },
  "points-history": { params: ["range"], read: (api, { range }) => api.points.history(range) },
  "points-log": {
    params: ["page", "limit", "category", "startDate", "endDate"],
    read: (api, query) => api.points.log(query),
  },
  "points-log-detail": { params: ["id"], read: (api, { id }) => api.points.detail(id) },
  "content-points": { params: ["page", "limit"], read: (api, query) => api.points.content(query) },
  "campaign-mail": { params: [], read: (api) => api.campaignMail.read() },
  sessions: { params: [], read: (api) => api.sessions.list() },
  devices: { params: [], read: (api) => api.devices.list() },
  "security-activity": { params: ["page", "limit"], read: (api, query) => api.sessions.activity(query) },
  "data-stats": { params: [], read: (api) => api.users.dataStats() },
  "daily-jobs": { params: ["days"], read: (api, { days }) => api.insights.daily(days) },
  "network-jobs": { params: ["days"], read: (api, { days }) => api.insights.network(days) },
  referrals: { params: ["page", "limit", "status"], read: (api, query) => api.referrals.page(query) },
  submissions: { params: [], read: (api) => api.rewards.submissions() },
  "heartbeat-status": { params: [], read: (api) => api.rewards.heartbeatStatus() },
  uptime: { params: ["range"], read: (api, { range }) => api.node.uptime(range) },
  "refused-beats": { params: ["limit"], read: (api, { limit }) => api.node.refusedBeats(limit) },
  "silence-mail": { params: [], read: (api) => api.node.silenceMail() },
  "wallet-change-eligibility": { params: [], read: (api) => api.wallet.changeEligibility() },
  "wallet-detect": { params: ["address"], read: (api, { address }) => api.wallet.detect(address) },
  "wallet-message": { params: ["address", "purpose", "origin"], read: (api, query) => api.wallet.message(query) },
  "smart-id-requirements": { params: [], read: (api) => api.machineId.requirements() },
  "smart-account": { params: [], read: (api) => api.machineId.smartAccount() },
  "machine-id-status": { params: [], read: (api) => api.machineId.status() },
  "machine-identity": { params: [], read: (api) => api.machineId.identity() },
  "machine-timeline": { params: [], read: (api) => api.machineId.timeline() },
  "node-pass": { params: [], read: (api) => api.nodePass.read() },
};

/** Reads through the typed client, for loaders. */
export function createServerRead(api: ApiClient): Read {
  return (name, query) => READ_SOURCES[name].read(api, query);
}
