import { randomInt } from "node:crypto";
import { uuidv7 } from "uuidv7";
import type { Db, Tx } from "../../db/client.ts";
import type { users } from "../../db/schema.ts";
import { AppError } from "../../errors.ts";
import { REFERRAL_CODE_LENGTH } from "../../referrals/contract.ts";
import { emailKey } from "../../mail/email-key.ts";
import { mailboxKey } from "../../mail/mailbox-key.ts";
import type { PasswordHasher } from "../password/password-hasher.ts";
import { findAccount, findInviter, insertMember } from "../queries.ts";

type Decided = "id" | "email" | "emailKey" | "mailboxKey" | "passwordHash" | "invitedBy" | "personalCode" | "updatedAt";

export type NewMember = Partial<Omit<typeof users.$inferInsert, Decided>> & {
  email: string;
  /** The personal code of the member who invited this one. */
  referralCode?: string;
} & ({ password: string } | { passwordHash: string | null });

type RegisteredMember = { id: string; personalCode: string; invitedBy: string | null };

/** Without 0, O, 1, I and L, because people also read codes aloud and type them. */
const CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";

/** How many codes to try. With half of all 28 million taken, one registration in a million would need more. */
const CODE_ATTEMPTS = 20;

/**
 * Creates a member with their own personal code. Works inside a transaction, but hash the password before it begins.
 * Throws CONFLICT if the address is taken, and VALIDATION_ERROR if nobody has the referral code.
 */
export async function registerMember(
  { db, now, passwords }: { db: Db | Tx; now: () => Date; passwords: PasswordHasher },
  { email, referralCode, ...member }: NewMember,
  nextCode: () => string = createPersonalCode,
): Promise<RegisteredMember> {
  const passwordHash = "passwordHash" in member ? member.passwordHash : await passwords.hash(member.password);
  const invitedBy = referralCode === undefined ? null : await findInviterId(db, referralCode);
  const createdAt = member.createdAt ?? now();
  const id = uuidv7();
  const key = emailKey(email);

  for (let attempt = 0; attempt < CODE_ATTEMPTS; attempt++) {
    const personalCode = nextCode();
    const row = {
      updatedAt: createdAt,
      ...member,
      createdAt,
      id,
      email: email.trim(),
      emailKey: key,
      mailboxKey: mailboxKey(key),
    };
    if (await insertMember(db, { ...row, passwordHash, invitedBy, personalCode }))
      return { id, personalCode, invitedBy };
    if (await findAccount(db, key)) throw new AppError("CONFLICT", "That email already has an account.");
  }
  throw new Error("No member was added: the wallet, or every personal code that was tried, is taken.");
}

/** Returns the id of the member with this personal code. Throws VALIDATION_ERROR if nobody has it. */
export async function findInviterId(db: Db | Tx, code: string): Promise<string> {
  const inviter = await findInviter(db, code.toUpperCase());
  if (inviter) return inviter.id;
  const message = "Invalid referral code";
  throw new AppError("VALIDATION_ERROR", message, { fields: { referralCode: [message] } });
}

function createPersonalCode(): string {
  return Array.from({ length: REFERRAL_CODE_LENGTH }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join("");
}
