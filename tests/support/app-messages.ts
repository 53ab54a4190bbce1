import type { ContentKind } from "../../server/agent-insights/contract.ts";
import type { NewCampaignRow } from "../../server/campaigns/queries.ts";
import type { LegalDocumentName } from "../../server/legal/contract.ts";
import type { PointsCategory } from "../../server/points/contract.ts";
import type { ReceivedMail } from "./api/mailbox.ts";

/* What a test's process and the server that it has started (app-process.ts) say to each other. */

export type AppOptions = {
  /** How the pages reach the API: in process, or over HTTP at a second server on the same database. */
  transport?: "embedded" | "http";
  /** A PostgreSQL to use instead of an embedded database in memory. */
  databaseUrl?: string;
  /** An existing folder for everything that is kept, the embedded database included; it outlives the process. */
  dataDir?: string;
  /** Settings beyond, or in place of, those of a test. */
  settings?: Record<string, string>;
  /** Milliseconds that one request may wait for a PostgreSQL, where that is not what the test is about. */
  answerLimit?: number;
  /** Whether what is measured is the embedded database as members have it, with its code made faster. */
  isMeasured?: boolean;
  /** Where Turnstile's tokens are checked. */
  turnstileVerifyUrl?: string;
};

export type SeedMember = {
  email?: string;
  onboarded?: boolean;
  administrator?: boolean;
  whitelisted?: boolean;
  fullName?: string;
  avatarUrl?: string;
  /** The address of the wallet that is linked. */
  wallet?: string;
  /** How many they have earned, one in each hour until now. */
  heartbeats?: number;
  /** Which documents they have accepted in their current versions: both, unless given. */
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
  /** Tells webhooks that somebody has become a member. */
  announce: (userId: string) => Promise<void>;
  /** Makes a member an administrator. */
  administrator: (userId: string) => Promise<void>;
  post: (userId: string, entries: SeedEntry[]) => Promise<void>;
  beat: (userId: string, timestamps: string[]) => Promise<void>;
  /** Somebody who joined with a member's link, and has come so far. Returns their address. */
  friend: (inviterId: string, friend: SeedFriend) => Promise<string>;
  /** The campaigns there are, those with `completed` done by the member. */
  campaigns: (userId: string, campaigns: (NewCampaignRow & { completed?: boolean })[]) => Promise<void>;
  /** Jobs of a member's node, each with an item. */
  jobs: (userId: string, jobs: SeedJob[]) => Promise<void>;
  /** The latest mail to an address, once there are as many as `count` (one unless given). */
  mail: (to: string, count?: number) => Promise<ReceivedMail>;
  /** Every row of the database as text. */
  dump: () => Promise<string>;
  /** Lets the servers say that they are about to go. */
  leave: () => Promise<void>;
};

export type AppRequest = { id: number; seed: keyof Seeds; input: unknown[] };
export type AppResponse = { id: number } & ({ result: unknown } | { error: string });
