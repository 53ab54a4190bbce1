import { randomInt, randomUUID } from "node:crypto";
import type { Hex } from "viem";
import type { PointsCategory } from "../../../server/points/contract.ts";

/** Why a call is refused, in the error shape of the specification. */
export class Refusal extends Error {
  readonly status: 400 | 401 | 403 | 404 | 409 | 422;
  readonly code: string;

  constructor(status: Refusal["status"], code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export type Entry = { category: PointsCategory; points: number; comment: string; timestamp: string };

type SmartAccount = { address: Hex; owner: string; status: "pending" | "completed"; createdAt: string };

/** What the owner signs for the Machine ID, and its state. */
type Identity = {
  status: "waiting_for_signature" | "pending" | "completed";
  request: { machineAddress: Hex; target: Hex; calldata: Hex; nonce: string };
  signature: string;
};

export type Member = {
  id: string;
  email: string;
  password: string;
  personalCode: string;
  invitedBy: Member | null;
  isWhitelisted: boolean;
  isOnboarded: boolean;
  acceptedTerms: boolean;
  acceptedPrivacy: boolean;
  heartbeats: number;
  wallet: string | null;
  hasChangedWallet: boolean;
  claimed: Set<string>;
  entries: Entry[];
  account: SmartAccount | null;
  identity: Identity | null;
};

export type NewMember = Partial<Omit<Member, "id" | "personalCode">>;

export type Members = ReturnType<typeof createMembers>;

const REFERRAL_POINTS = 1000;

/**
 * Creates the stand-in's members, in memory: their data, their access tokens, and the sign-ups that wait for a code.
 */
export function createMembers() {
  const members: Member[] = [];
  const tokens = new Map<string, Member>();
  const waiting = new Map<string, { email: string; password: string; invitedBy: Member | null; code: string }>();

  function add(known: NewMember): Member {
    const id = randomUUID();
    const member: Member = {
      id,
      email: `${id}@members.test`,
      password: "a pass phrase of mine",
      personalCode: id.slice(0, 5).toUpperCase(),
      invitedBy: null,
      isWhitelisted: false,
      isOnboarded: false,
      acceptedTerms: false,
      acceptedPrivacy: false,
      heartbeats: 0,
      wallet: null,
      hasChangedWallet: false,
      claimed: new Set(),
      entries: [],
      account: null,
      identity: null,
      ...known,
    };
    members.push(member);
    return member;
  }

  const find = (email: string) => members.find((member) => member.email === email.toLowerCase());

  function begin(member: Member): string {
    const token = `token-${randomUUID()}`;
    tokens.set(token, member);
    return token;
  }

  return {
    add,
    begin,
    friendsOf: (inviter: Member) => members.filter(({ invitedBy }) => invitedBy === inviter),
    owns: (address: string) => members.some(({ wallet }) => wallet?.toLowerCase() === address.toLowerCase()),

    authenticate(header: string | undefined): Member {
      const member = tokens.get(header?.replace(/^Bearer /, "") ?? "");
      if (!member) throw new Refusal(401, "UNAUTHENTICATED", "The access token is not valid.");
      return member;
    },

    signIn(email: string, password: string): Member {
      const member = find(email);
      if (member?.password === password) return member;
      throw new Refusal(401, "INVALID_CREDENTIALS", "The email or the password is wrong.");
    },

    signUp(email: string, password: string, referralCode: string | undefined): string {
      const invitedBy = members.find(({ personalCode }) => personalCode === referralCode) ?? null;
      if (referralCode && !invitedBy) throw new Refusal(400, "VALIDATION_ERROR", "Invalid referral code");
      const signupToken = randomUUID();
      const code = String(randomInt(1_000_000)).padStart(6, "0");
      waiting.set(signupToken, { email: email.toLowerCase(), password, invitedBy, code });
      return signupToken;
    },

    verify(signupToken: string, code: string | undefined): Member {
      const { code: mailed, ...known } = waiting.get(signupToken) ?? {};
      if (!mailed || mailed !== code) throw new Refusal(400, "VALIDATION_ERROR", "That is not the code.");
      waiting.delete(signupToken);
      const member = add(known);
      if (member.invitedBy) credit(member, "Referral", REFERRAL_POINTS, "Joined with a friend's link");
      return member;
    },

    /** Returns the code that was sent to an address. */
    codeFor: (email: string) =>
      [...waiting.values()].findLast((each) => each.email === email.toLowerCase())?.code ?? "",

    /** Completes everything that the network was given to do. */
    settle() {
      for (const { account, identity } of members) {
        if (account) account.status = "completed";
        if (identity?.status === "pending") identity.status = "completed";
      }
    },
  };
}

export function credit(member: Member, category: PointsCategory, points: number, comment: string): void {
  member.entries.unshift({ category, points, comment, timestamp: readTime() });
}

/** Returns the current time with microseconds and an offset, as most databases write it. */
export const readTime = (): string => new Date().toISOString().replace("Z", "000+00:00");
