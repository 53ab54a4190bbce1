import { DAY_MS, startOfUtcDay } from "../../points/utc-day.ts";
import { inventIdentities, planBeats, type Person } from "./people.ts";
import type { Random } from "./random.ts";

export const DEMO_EMAIL = "demo@nodebeat.test";
const JOINED_DAYS_AGO = 118;
const MINUTE_MS = 60_000;

/** How many days ago each friend's points were claimed. Each friend needed a month for their 100 heartbeats first. */
const CLAIMED_DAYS_AGO = [0.14, 5.2, 9.4, 14.6, 19.3, 26.5, 31.4, 38.6, 44.5, 50.3, 57.4, 63.5];
/** How many friends met the conditions without their points being claimed. */
const CLAIMABLE = 2;
/** A friend's fewest and most beats a day. Even the fewest make 100 within FRIEND_DAYS. */
const FRIEND_RHYTHM = [3, 6] as const;
const FRIEND_DAYS = 35;

/** How many days ago each reward was claimed. */
export const DEMO_CLAIMS = [
  { campaignId: "follow-on-x", daysAgo: 112 },
  { campaignId: "join-discord", daysAgo: 111.5 },
  { campaignId: "join-telegram", daysAgo: 97.2 },
  { campaignId: "heartbeat", daysAgo: 88.4 },
  { campaignId: "network-quiz", daysAgo: 62.7 },
  { campaignId: "beta-feedback", daysAgo: 33.1 },
  { campaignId: "write-a-guide", daysAgo: 16.8 },
  { campaignId: "complete-profile", daysAgo: 3.1 },
  { campaignId: "member-survey", daysAgo: 1.1 },
];
/** A campaign that is completed but not claimed. Campaigns in neither list are still to be done. */
export const DEMO_COMPLETED = { campaignId: "three-friends", daysAgo: 2.3 };

/** What the demo member has from before the ledger. */
export const GENESIS = { heartbeats: 80, points: 2000 };

/** The profile, as the rewards that they claimed require it. */
export const DEMO_PROFILE = {
  discordUsername: "demo.member",
  telegramHandle: "demo_member",
  xHandle: "demo_member",
  website: "https://nodebeat.example/demo",
};

export const daysBefore = (now: Date, days: number) => new Date(now.getTime() - Math.round(days * DAY_MS));

export const createDemoMember = (now: Date): Person => ({
  email: DEMO_EMAIL,
  username: "demo",
  fullName: "Demo Member",
  // Visitors can link one. Nobody at a demo has the key of an invented wallet.
  wallet: null,
  isWhitelisted: false,
  joinedAt: daysBefore(now, JOINED_DAYS_AGO),
  onboardedAt: daysBefore(now, JOINED_DAYS_AGO),
  rhythm: [7, 25],
  lastSeenAt: now,
});

/** Plans a lively history: every day different, three days of outage, and a node that is online now. */
export function planDemoBeats(random: Random, now: Date): Date[] {
  const outages = random.sample(
    Array.from({ length: 90 }, (_, index) => index + 10),
    3,
  );
  const dark = new Set(outages.map((days) => startOfUtcDay(daysBefore(now, days)).getTime()));
  const beats = planBeats(random, createDemoMember(now)).filter((beat) => !dark.has(startOfUtcDay(beat).getTime()));
  const latest = [49, 34, 19, 4].map((minutes) => new Date(now.getTime() - minutes * MINUTE_MS));
  return [...beats, ...latest];
}

/** Invents the demo member's friends: twelve successes, two to claim, and three who are still on their way. */
export function inventFriends(random: Random, now: Date): Person[] {
  const identities = inventIdentities(random, CLAIMED_DAYS_AGO.length + CLAIMABLE + 3, "example.net");
  const befriend = (daysAgo: number, friend: Partial<Person> = {}): Person => {
    const { value } = identities.next();
    if (!value) throw new Error("There are fewer identities than friends.");
    return {
      ...value,
      wallet: `0x${random.hex(40)}`,
      isWhitelisted: false,
      inviter: DEMO_EMAIL,
      joinedAt: daysBefore(now, daysAgo),
      onboardedAt: daysBefore(now, daysAgo - 0.01),
      rhythm: FRIEND_RHYTHM,
      lastSeenAt: now,
      ...friend,
    };
  };
  return [
    ...CLAIMED_DAYS_AGO.map((daysAgo) =>
      befriend(daysAgo + FRIEND_DAYS + random.integer(1, 12), { claimedAt: daysBefore(now, daysAgo) }),
    ),
    ...Array.from({ length: CLAIMABLE }, () => befriend(FRIEND_DAYS + random.integer(1, 12))),
    befriend(21, { wallet: null, rhythm: [2, 3] }),
    befriend(9, { rhythm: [1, 4] }),
    befriend(0.4, { wallet: null, rhythm: [0, 0] }),
  ];
}
