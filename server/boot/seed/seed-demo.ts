import { randomBytes } from "node:crypto";
import { registerMember } from "../../auth/sign-up/registration.ts";
import type { Deps } from "../../deps.ts";
import { recordAcceptances } from "../../legal/service.ts";
import { saveCampaigns } from "../../campaigns/service.ts";
import type { Tx } from "../../db/client.ts";
import { inTransaction } from "../../db/transaction.ts";
import { CAMPAIGNS } from "./campaigns.ts";
import { createDemoMember, DEMO_EMAIL, DEMO_PROFILE, GENESIS, inventFriends, planDemoBeats } from "./demo-member.ts";
import { claimRewards, gatherContent, grantGenesis, inviteFriends, sendBeats } from "./history.ts";
import { inventPeople, keepOnePerSlot, planBeats, type Member, type Person } from "./people.ts";
import * as queries from "./queries.ts";
import { createRandom } from "./random.ts";
import { addTester, TESTER_EMAIL } from "./tester.ts";

/** Any number works. The same one makes the same network. */
const SEED = 3338;

type SeedDeps = Pick<Deps, "db" | "env" | "now" | "passwords">;

/**
 * Fills an empty database with a network of about 140 members and their last months, through the services that real
 * members use. Runs in one transaction: all or nothing. If there are members already, only makes sure that the demo's
 * members can sign in with this password. Returns whether it created a network.
 */
export async function seedDemo(deps: SeedDeps, { password }: { password: string }): Promise<boolean> {
  const demoHash = await deps.passwords.hash(password);
  if (await queries.hasMembers(deps.db)) {
    await saveSignIns(deps, password, demoHash);
    return false;
  }
  // Nobody signs in as the others. They share the hash of a password that is thrown away.
  const nobodysHash = await deps.passwords.hash(randomBytes(32).toString("base64"));
  return inTransaction(deps.db, async (tx) => {
    // A second process that starts now waits here, and then finds the members.
    await saveCampaigns(tx, CAMPAIGNS);
    if (await queries.hasMembers(tx)) return false;
    await makeNetwork(tx, deps, { demoHash, nobodysHash });
    await addTester(tx, deps, demoHash);
    return true;
  });
}

/** Makes sure that the members named at the start exist, and that the password it prints signs in. */
async function saveSignIns(deps: SeedDeps, password: string, passwordHash: string) {
  await inTransaction(deps.db, async (tx) => {
    // Lock this row: if two processes start together, the second one then finds what the first one added.
    if (await queries.lockMember(tx, DEMO_EMAIL)) await addTester(tx, deps, passwordHash);
  });
  for (const email of [DEMO_EMAIL, TESTER_EMAIL]) await savePassword(deps, { email, password, passwordHash });
}

type SignIn = { email: string; password: string; passwordHash: string };

async function savePassword({ db, passwords }: SeedDeps, { email, password, passwordHash }: SignIn) {
  const hash = await queries.findPasswordHash(db, email);
  if (hash === undefined || (await passwords.verify(hash, password))) return;
  await queries.updateMember(db, email, { passwordHash });
}

type Hashes = { demoHash: string; nobodysHash: string };

async function makeNetwork(tx: Tx, deps: SeedDeps, hashes: Hashes) {
  const now = deps.now();
  const random = createRandom(SEED);
  const people = [createDemoMember(now), ...inventPeople(random, now), ...inventFriends(random, now)];
  people.sort((a, b) => a.joinedAt.getTime() - b.joinedAt.getTime());

  const members = await registerAll(tx, deps, people, hashes);
  await queries.updateMember(tx, DEMO_EMAIL, DEMO_PROFILE);
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

/** Accepts, for each member, the documents in force when they joined and when they were last seen. */
async function acceptDocuments(tx: Tx, members: Member[]) {
  const given = members.flatMap(({ userId, joinedAt, lastSeenAt }) =>
    (["tos", "pp"] as const).flatMap((document) => [joinedAt, lastSeenAt].map((at) => ({ userId, document, at }))),
  );
  await recordAcceptances(tx, given);
}

/** Registers people in the order in which they join, so that inviters exist before their friends. */
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
