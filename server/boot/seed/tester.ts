import { registerMember } from "../../auth/sign-up/registration.ts";
import type { Tx } from "../../db/client.ts";
import type { Deps } from "../../deps.ts";
import { countBeats } from "../../heartbeats/service.ts";
import { recordAcceptances } from "../../legal/service.ts";
import { daysBefore } from "./demo-member.ts";
import { keepOnePerSlot, planBeats, type Person } from "./people.ts";
import { lockMember } from "./queries.ts";
import { createRandom } from "./random.ts";

/** The member of a demo who is on the whitelist: they see TESTNET, and are asked to accept the Terms of Service. */
export const TESTER_EMAIL = "tester@nodebeat.test";
const JOINED_DAYS_AGO = 40;
/** Any number works. The same one makes the same beats. */
const SEED = 4338;

const describeTester = (now: Date): Person => ({
  email: TESTER_EMAIL,
  username: "tester",
  fullName: "Test Member",
  wallet: null,
  isWhitelisted: true,
  joinedAt: daysBefore(now, JOINED_DAYS_AGO),
  onboardedAt: daysBefore(now, JOINED_DAYS_AGO),
  rhythm: [2, 6],
  lastSeenAt: now,
});

/** Adds the member unless they exist. Leaves the Terms of Service for them to accept. */
export async function addTester(
  tx: Tx,
  { env, now: clock, passwords }: Pick<Deps, "env" | "now" | "passwords">,
  passwordHash: string,
): Promise<void> {
  if (await lockMember(tx, TESTER_EMAIL)) return;
  const now = clock();
  const tester = describeTester(now);
  const { email, username, fullName, isWhitelisted, joinedAt, onboardedAt } = tester;
  const { id: userId } = await registerMember(
    { db: tx, now: clock, passwords },
    { email, username, fullName, isWhitelisted, onboardedAt, createdAt: joinedAt, passwordHash },
  );
  await recordAcceptances(tx, [{ userId, document: "pp", at: now }]);
  const beats = keepOnePerSlot(planBeats(createRandom(SEED), tester), env.heartbeatIntervalSeconds);
  await countBeats(
    tx,
    beats.map((beatAt) => ({ userId, beatAt, receivedAt: beatAt })),
    env,
  );
}
