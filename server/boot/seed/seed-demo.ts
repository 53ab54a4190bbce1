import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { registerMember } from "../../auth/sign-up/registration.ts";
import type { Deps } from "../../deps.ts";
import { slotOf } from "../../heartbeats/beat-window.ts";
import { recordAcceptances } from "../../legal/service.ts";
import { saveCampaigns } from "../../campaigns/service.ts";
import type { Db, Tx } from "../../db/client.ts";
import { users } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import { CAMPAIGNS } from "./campaigns.ts";
import { createDemoMember, DEMO_EMAIL, GENESIS, inventFriends, planDemoBeats } from "./demo-member.ts";
import { claimRewards, gatherContent, grantGenesis, inviteFriends, sendBeats } from "./history.ts";
import { inventPeople, planBeats, type Member, type Person } from "./people.ts";
import { createRandom } from "./random.ts";

/** Any number: the same one makes the same network. */
const SEED = 3338;

type SeedDeps = Pick<Deps, "db" | "env" | "now" | "passwords">;

/**
 * Fills an empty database with a network of some 290 members and their last months, through the services that real
 * members use. All or nothing: one transaction. On a database that has members it only sees to it that the demo
 * member's password is the given one. Returns whether it made a network.
 */
export async function seedDemo(deps: SeedDeps, { password }: { password: string }): Promise<boolean> {
  const demoHash = await deps.passwords.hash(password);
  if (await hasMembers(deps.db)) {
    await keepPassword(deps, password, demoHash);
    return false;
  }
  // Nobody signs in as the others: they share the hash of a password that is thrown away.
  const nobodysHash = await deps.passwords.hash(randomBytes(32).toString("base64"));
  return inTransaction(deps.db, async (tx) => {
    // Also makes a second process that starts now wait here, and find the members then.
    await saveCampaigns(tx, CAMPAIGNS);
    if (await hasMembers(tx)) return false;
    await makeNetwork(tx, deps, { demoHash, nobodysHash });
    return true;
  });
}

const hasMembers = async (db: Db | Tx) => (await db.select({ id: users.id }).from(users).limit(1)).length > 0;

/** The password that the start prints must be the one that signs in. */
async function keepPassword({ db, passwords }: SeedDeps, password: string, passwordHash: string) {
  const [demo] = await db.select({ hash: users.passwordHash }).from(users).where(eq(users.emailKey, DEMO_EMAIL));
  if (!demo || (await passwords.verify(demo.hash, password))) return;
  await db.update(users).set({ passwordHash }).where(eq(users.emailKey, DEMO_EMAIL));
}

type Hashes = { demoHash: string; nobodysHash: string };

async function makeNetwork(tx: Tx, deps: SeedDeps, hashes: Hashes) {
  const now = deps.now();
  const random = createRandom(SEED);
  const people = [createDemoMember(now), ...inventPeople(random, now), ...inventFriends(random, now)];
  people.sort((a, b) => a.joinedAt.getTime() - b.joinedAt.getTime());

  const members = await registerAll(tx, deps, people, hashes);
  await acceptDocuments(tx, members);
  for (const member of members) {
    const beats = member.email === DEMO_EMAIL ? planDemoBeats(random, now) : planBeats(random, member);
    member.beats = keepOnePerSlot(beats, deps.env.heartbeatIntervalSeconds);
  }
  await sendBeats(tx, members, deps.env);
  await inviteFriends(tx, random, members, now);
  await grantGenesis(tx, random, members);
  await claimRewards(tx, random, members, now);
  await gatherContent(tx, random, members, now, deps.env);
}

/** Everybody has accepted what held when they joined, and what held when they were last seen. */
async function acceptDocuments(tx: Tx, members: Member[]) {
  const given = members.flatMap(({ userId, joinedAt, lastSeenAt }) =>
    (["tos", "pp"] as const).flatMap((document) => [joinedAt, lastSeenAt].map((at) => ({ userId, document, at }))),
  );
  await recordAcceptances(tx, given);
}

/** The beats that will count, so that their number is what the referrals and rewards go by. */
function keepOnePerSlot(beats: Date[], intervalSeconds: number): Date[] {
  const bySlot = new Map(beats.map((beat) => [slotOf(beat, intervalSeconds).getTime(), beat]));
  return [...bySlot.values()];
}

/** Registers people in the order in which they join, so that an inviter is there before their friends. */
async function registerAll(tx: Tx, { now, passwords }: SeedDeps, people: Person[], { demoHash, nobodysHash }: Hashes) {
  const codes = new Map<string, string>();
  const members: Member[] = [];
  for (const person of people) {
    const isDemo = person.email === DEMO_EMAIL;
    const { id, personalCode } = await registerMember(
      { db: tx, now, passwords },
      {
        email: person.email,
        username: person.username,
        fullName: person.fullName,
        wallet: person.wallet,
        isWhitelisted: person.isWhitelisted,
        onboardedAt: person.onboardedAt,
        createdAt: person.joinedAt,
        heartbeatsGenesisSnapshot: isDemo ? GENESIS.heartbeats : 0,
        referralCode: person.inviter && codes.get(person.inviter),
        passwordHash: isDemo ? demoHash : nobodysHash,
      },
    );
    codes.set(person.email, personalCode);
    members.push(Object.assign(person, { userId: id, beats: [] }));
  }
  return members;
}
