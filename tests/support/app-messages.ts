import type { ContentKind } from "../../server/agent-insights/contract.ts";
import type { NewCampaignRow } from "../../server/campaigns/queries.ts";
import type { LegalDocumentName } from "../../server/legal/contract.ts";
import type { PointsCategory } from "../../server/points/contract.ts";
import type { ReceivedMail } from "./api/mailbox.ts";

/* The messages between a test's process and the server that it has started (app-process.ts). */

export type AppOptions = {
  /** How the pages reach the API: in process, or over HTTP at a second server on the same database. */
  transport?: "embedded" | "http";
  /** The PostgreSQL to use instead of an embedded database in memory. */
  databaseUrl?: string;
  /** An existing folder for everything that is stored, including the embedded database. It outlives the process. */
  dataDir?: string;
  /** Settings that add to, or replace, those of a test. */
  settings?: Record<string, string>;
  /** How long a request may wait for PostgreSQL, in milliseconds, in tests that are not about that. */
  databaseTimeLimit?: number;
  /** Whether to measure the embedded database as members have it, with its code optimized. */
  isMeasured?: boolean;
  /** The address that checks Turnstile's tokens. */
  turnstileVerifyUrl?: string;
};

export type SeedMember = {
  email?: string;
  onboarded?: boolean;
  administrator?: boolean;
  whitelisted?: boolean;
  fullName?: string;
  avatarUrl?: string;
  /** The address of the linked wallet. */
  wallet?: string;
  /** How many they have earned, one per hour until now. */
  heartbeats?: number;
  /** The documents that they have accepted in their current versions: both, unless given. */
  accepted?: readonly LegalDocumentName[];
};

export type SeededMember = {
  userId: string;
  email: string;
  password: string;
  personalCode: string;
  token: string;
  cookie: { name: string; value: string };
};

type SeedEntry = { category: PointsCategory; points: number; comment: string; daysAgo?: number };

export type SeedFriend = { heartbeats?: number; wallet?: boolean; email?: string };

type SeedJob = { daysAgo: number; kind: ContentKind; title: string };

export type Seeds = {
  member: (member: SeedMember) => Promise<SeededMember>;
  /** Sends webhooks the event that somebody has become a member. */
  announce: (userId: string) => Promise<void>;
  /** Makes a member an administrator. */
  administrator: (userId: string) => Promise<void>;
  post: (userId: string, entries: SeedEntry[]) => Promise<void>;
  beat: (userId: string, timestamps: string[]) => Promise<void>;
  /** Adds a friend with this progress who joined with a member's link. Returns their address. */
  friend: (inviterId: string, friend: SeedFriend) => Promise<string>;
  /** Saves these campaigns, and completes those with `completed` for the member. */
  campaigns: (userId: string, campaigns: (NewCampaignRow & { completed?: boolean })[]) => Promise<void>;
  /** Adds jobs of a member's node, each with one item. */
  jobs: (userId: string, jobs: SeedJob[]) => Promise<void>;
  /** Returns the latest email to an address, once there are `count` of them (one unless given). */
  mail: (to: string, count?: number) => Promise<ReceivedMail>;
  /** Returns every row of the database as text. */
  dump: () => Promise<string>;
  /** Makes the servers announce that they are about to stop. */
  leave: () => Promise<void>;
};

export type AppRequest = { id: number; seed: keyof Seeds; input: unknown[] };
export type AppResponse = { id: number } & ({ result: unknown } | { error: string });
