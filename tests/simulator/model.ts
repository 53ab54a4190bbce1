import type { Random } from "./random.ts";

/** What a client knows: it was told so, it was told the opposite, or the answer was lost. */
type Standing = "yes" | "no" | "unsure";

export type Session = { token: string; live: Standing; startedAt: number; usedAt: number };
type Node = { id: string; key: string; live: Standing };
/** Points that must be in the ledger, or may be where nobody was told. */
type Entry = { points: number; isSure: boolean };

export type Member = {
  name: string;
  id: string;
  email: string;
  /** Browsers that they sign in with. */
  browsers: string[];
  code: string;
  /** More than one where it is not known which of them it is. */
  passwords: string[];
  sessions: Session[];
  nodes: Node[];
  entries: Map<string, Entry>;
  /** By campaign. */
  completed: Map<string, Standing>;
  blocked: Standing;
  whitelisted: Standing;
  /** Whether the account is to be deleted, and at which time. */
  leaving: Standing;
  leavesAt: number;
  isErased: boolean;
  wallets: number[];
  /** Who joined with their link. */
  friends: number;
  /** Wallets that were linked or put in another's place, as far as anybody was told. */
  walletWrites: number;
  accepted: Set<string>;
  /** How many of the calls are under way, and how many were begun, that may change how the member can sign in. */
  underWay: number;
  begun: number;
};

/** Something breaks what must always hold. */
export class Broken extends Error {
  override name = "Broken";
}

export type SignUp = {
  email: string;
  password: string;
  browser: string;
  token: string;
  inviter: Member | undefined;
  /** Whether there may be a member by now. */
  isMaybe: boolean;
};
type Reset = { member: Member; token: string; mails: number };

type Model = ReturnType<typeof createModel>;

export function createModel() {
  return {
    members: [] as Member[],
    signUps: [] as SignUp[],
    resets: [] as Reset[],
    /** Points of each campaign, as last acknowledged; more than one where that is not known. */
    campaigns: new Map<string, Set<number>>(),
    /** Signed messages that were sent, to be sent again. */
    messages: [] as { id: string; members: Member[]; campaignId: string; isTaken: boolean }[],
    adjustments: [] as { member: Member; key: string; points: number }[],
    names: 0,
  };
}

export function newMember(
  seen: Pick<Member, "id" | "email" | "code" | "browsers" | "passwords">,
  name: string,
): Member {
  return {
    ...seen,
    name,
    sessions: [],
    nodes: [],
    entries: new Map(),
    completed: new Map(),
    blocked: "no",
    whitelisted: "no",
    leaving: "no",
    leavesAt: Infinity,
    isErased: false,
    wallets: [],
    friends: 0,
    walletWrites: 0,
    accepted: new Set(),
    underWay: 0,
    begun: 0,
  };
}

/** Those who can do something; the first one is the administrator. */
export const present = ({ members }: Model): Member[] => members.filter(({ isErased }) => !isErased);

export const pickMember = (model: Model, random: Random): Member | undefined => random.pick(present(model));

/** Whether somebody may be kept out, by a block or by the end of their account. */
export const mayBeOut = ({ blocked, isErased, leavesAt, leaving }: Member, latest: number): boolean =>
  isErased || blocked !== "no" || (leaving !== "no" && latest >= leavesAt - 60_000);

/**
 * Begins a call whose answer says how the member can sign in, or depends on that. The result ends it, and says whether
 * no other such call was under way: otherwise nobody knows which came first.
 */
export function begin(member: Member, { disturbs = false } = {}): () => boolean {
  const isAlone = member.underWay === 0;
  if (disturbs) {
    member.underWay += 1;
    member.begun += 1;
  }
  const { begun } = member;
  return () => {
    if (disturbs) member.underWay -= 1;
    return isAlone && member.begun === begun;
  };
}

/** Ends sessions, or says that nobody knows of them. */
export function endSessions(member: Member, live: "no" | "unsure", but?: Session): void {
  for (const session of member.sessions) {
    if (session !== but && session.live !== "no") session.live = live;
  }
}

export function expectEntry(member: Member, key: string, entry: Entry): void {
  const known = member.entries.get(key);
  member.entries.set(key, known?.isSure ? known : entry);
}

/** Those that open something, as far as is known. */
export const liveSession = ({ sessions }: Member, random: Random): Session | undefined =>
  random.pick(sessions.filter(({ live }) => live === "yes"));
