import type { Random } from "./random.ts";

/** What a client knows: it was told yes or no, or the response was lost. */
type Standing = "yes" | "no" | "unsure";

export type Session = { token: string; live: Standing; startedAt: number; usedAt: number };
type Node = { id: string; key: string; live: Standing };
/** Points that must be in the ledger, or that may be there if the response was lost. */
type Entry = { points: number; isSure: boolean };

export type Member = {
  name: string;
  id: string;
  email: string;
  /** The browsers that they sign in with. */
  browsers: string[];
  code: string;
  /** Several, if it is unknown which of them is right. */
  passwords: string[];
  sessions: Session[];
  nodes: Node[];
  entries: Map<string, Entry>;
  /** By campaign. */
  completed: Map<string, Standing>;
  blocked: Standing;
  whitelisted: Standing;
  /** Whether the account is to be deleted, and when. */
  leaving: Standing;
  leavesAt: number;
  isErased: boolean;
  wallets: number[];
  /** How many joined with their link. */
  friends: number;
  /** How many times a wallet was linked or changed, as far as was acknowledged. */
  walletWrites: number;
  accepted: Set<string>;
  /** How many calls that may change how the member signs in are under way, and how many were ever begun. */
  underWay: number;
  begun: number;
};

/** The error for something that breaks a rule. */
export class Broken extends Error {
  override name = "Broken";
}

export type SignUp = {
  email: string;
  password: string;
  browser: string;
  token: string;
  inviter: Member | undefined;
  /** Whether this sign-up may have created a member by now. */
  isMaybe: boolean;
};
type Reset = { member: Member; token: string; mails: number };

type Model = ReturnType<typeof createModel>;

export function createModel() {
  return {
    members: [] as Member[],
    signUps: [] as SignUp[],
    resets: [] as Reset[],
    /** The points of each campaign, as last acknowledged; several if that is unknown. */
    campaigns: new Map<string, Set<number>>(),
    /** Signed messages that were sent, which may be sent again. */
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

/** Returns the members who are not deleted. The first one is the administrator. */
export const present = ({ members }: Model): Member[] => members.filter(({ isErased }) => !isErased);

export const pickMember = (model: Model, random: Random): Member | undefined => random.pick(present(model));

/** Returns whether a member may be locked out, by a block or by the end of their account. */
export const mayBeLockedOut = ({ blocked, isErased, leavesAt, leaving }: Member, latest: number): boolean =>
  isErased || blocked !== "no" || (leaving !== "no" && latest >= leavesAt - 60_000);

/**
 * Begins a call whose response says how the member can sign in, or depends on that. The returned function ends it, and
 * says whether no other such call was under way: otherwise it is unknown which came first.
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

/** Marks sessions as ended, or as unknown. */
export function endSessions(member: Member, live: "no" | "unsure", but?: Session): void {
  for (const session of member.sessions) {
    if (session !== but && session.live !== "no") session.live = live;
  }
}

export function expectEntry(member: Member, key: string, entry: Entry): void {
  const known = member.entries.get(key);
  member.entries.set(key, known?.isSure ? known : entry);
}

/** Returns a session that works, as far as is known. */
export const liveSession = ({ sessions }: Member, random: Random): Session | undefined =>
  random.pick(sessions.filter(({ live }) => live === "yes"));
