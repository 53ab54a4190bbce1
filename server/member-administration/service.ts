import * as z from "zod";
import { findAddresses } from "../account-data/waiting-mail.queries.ts";
import type { Owner } from "../account-data/holdings.ts";
import type { Actor } from "../administration/actor.ts";
import type { ListQuery } from "../administration/contract.ts";
import { parseCursor, toPage, formatCursor } from "../administration/paging.ts";
import { permit } from "../administration/service.ts";
import { describeJob } from "../background-work/queue.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { readRefusedOf } from "../heartbeats/refused-beats.ts";
import { findQueuedEmails } from "../jobs/queue.queries.ts";
import { emailKey } from "../mail/email-key.ts";
import { findKeptFrom } from "../points/log/export.queries.ts";
import { findSessions } from "../sessions/queries.ts";
import { describeSession, runningAt } from "../sessions/service.ts";
import type { FoundMember, MemberAccount } from "./contract.ts";
import * as queries from "./queries.ts";

type ReadDeps = Pick<Deps, "db" | "now">;

const WALLET = /^0x[0-9a-f]{40}$/i;
const CODE = /^\w{5}$/;

/**
 * Finds members by a search text. An id, a wallet or a referral code names one member; any other text is the beginning
 * of an address. Throws FORBIDDEN and PASSWORD_REQUIRED.
 */
export async function findMembers(deps: ReadDeps, actor: Actor, asked: ListQuery & { search?: string | undefined }) {
  await permit(deps, actor);
  const { search = "", after, limit } = asked;
  if (search === "") {
    const rows = await queries.listLatest(deps.db, { after: toId(after), limit: limit + 1 });
    return toPage(rows, limit, { show: describeFound, cursor: ({ id }) => id });
  }
  const one = nameOne(search);
  // Five characters may be a code, and may also begin an address.
  const named = one && after === undefined ? await queries.findNamed(deps.db, one) : [];
  if (named.length > 0 && !CODE.test(search)) return { items: named.map(describeFound), next: null };
  const rows = await queries.findByPrefix(deps.db, { prefix: emailKey(search), after, limit: limit + 1 });
  const { items, next } = toPage(rows, limit, { show: describeFound, cursor: ({ emailKey }) => emailKey });
  const before = named.filter(({ id }) => !items.some((item) => item.id === id)).map(describeFound);
  return { items: [...before, ...items], next };
}

const toId = (after: string | undefined) => z.uuid().optional().catch(undefined).parse(after);

function nameOne(search: string): queries.Named | undefined {
  if (z.uuid().safeParse(search).success) return { id: search };
  if (WALLET.test(search)) return { wallet: search.toLowerCase() };
  return CODE.test(search) ? { code: search.toUpperCase() } : undefined;
}

/** How many refused heartbeats and emails an account shows: enough to see what is wrong. */
const MOST_SHOWN = 20;

/** A terminal has no outbox, and cannot tell whose an email is. */
type AccountDeps = ReadDeps & Partial<Pick<Deps, "outbox">>;

/**
 * Returns a member's account. Throws NOT_FOUND if there is no such member or the account is deleted, FORBIDDEN and
 * PASSWORD_REQUIRED.
 */
export async function readMember(deps: AccountDeps, actor: Actor, { id }: { id: string }): Promise<MemberAccount> {
  const { db, now, outbox } = deps;
  await permit({ db, now }, actor);
  const at = runningAt(now());
  const account = await queries.findAccount(db, id);
  if (!account) throw notFound();
  const [machines, sessions, chain, refusedBeats, emails] = await Promise.all([
    queries.findMachines(db, id),
    findSessions(db, { userId: id, ...at }),
    queries.findChainJobs(db, id),
    readRefusedOf(db, { userId: id, limit: MOST_SHOWN }),
    outbox ? findEmails({ db, outbox }, { email: emailKey(account.email), userId: id }) : null,
  ]);
  const { connectivity, referral, rewards, others, invited, successful, referralPoints, ...rest } = account;
  const [deploy, execute] = ["deploy", "execute"].map((kind) => chain.find((job) => job.kind === kind));
  return {
    id: rest.id,
    email: rest.email,
    createdAt: rest.createdAt.toISOString(),
    onboardedAt: toText(rest.onboardedAt),
    blockedAt: toText(rest.blockedAt),
    deletionDueAt: toText(rest.deletionDueAt),
    isWhitelisted: rest.isWhitelisted,
    isAdministrator: rest.administratorSince !== null,
    personalCode: rest.personalCode,
    invitedBy: rest.invitedBy === null ? null : { id: rest.invitedBy, email: rest.inviterEmail },
    heldInvitation:
      rest.invitationId === null || rest.invitationHeldAt === null
        ? null
        : { id: rest.invitationId, standing: rest.invitationReview ?? "held" },
    points: { total: connectivity + referral + rewards + others, connectivity, referral, rewards, others },
    heartbeats: rest.heartbeats,
    lastBeatAt: toText(rest.lastBeatAt),
    refusedBeats,
    referrals: { invited, successful, points: referralPoints },
    wallet: rest.wallet,
    smartAccount: deploy?.state ?? null,
    machineId: execute?.state ?? null,
    chainJobs: { smartAccount: deploy?.id ?? null, machineId: execute?.id ?? null },
    machines: machines.map(({ id, name, createdAt, revokedAt }) => {
      return { id, name, createdAt: createdAt.toISOString(), revokedAt: toText(revokedAt) };
    }),
    emails: emails?.map(describeJob) ?? null,
    sessions: sessions.map((session) => describeSession(session, false)),
  };
}

async function findEmails({ db, outbox }: Pick<Deps, "db" | "outbox">, owner: Owner) {
  const recipients = [...(await findAddresses(db, owner))].flatMap(outbox.listRecipientHashes);
  return findQueuedEmails(db, { recipients, limit: MOST_SHOWN });
}

/** Returns a page of a member's ledger, with the member's address. Throws the same errors as `readMember`. */
export async function readEntries({ db, now }: ReadDeps, actor: Actor, asked: ListQuery & { id: string }) {
  await permit({ db, now }, actor);
  const { id, after, limit } = asked;
  const account = await queries.findAccount(db, id);
  if (!account) throw notFound();
  const [rows, [kept]] = await Promise.all([
    queries.findEntries(db, { userId: id, after: parseCursor(after), limit: limit + 1 }),
    findKeptFrom(db).execute({ userId: id }),
  ]);
  const page = toPage(rows, limit, {
    show: ({ occurredAt, ...entry }) => ({ ...entry, occurredAt: occurredAt.toISOString() }),
    cursor: ({ id: entryId, occurredAt }) => formatCursor(occurredAt, entryId),
  });
  return { ...page, email: account.email, heartbeatsSince: toText(kept?.at ?? null) };
}

function describeFound({
  createdAt,
  blockedAt,
  deletionDueAt,
  id,
  email,
  isWhitelisted,
  points,
}: queries.Found): FoundMember {
  return {
    id,
    email,
    isWhitelisted,
    points,
    createdAt: createdAt.toISOString(),
    blockedAt: toText(blockedAt),
    deletionDueAt: toText(deletionDueAt),
  };
}

const toText = (at: Date | null) => at?.toISOString() ?? null;

const notFound = () => new AppError("NOT_FOUND", "No member has this id.");
