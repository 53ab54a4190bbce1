import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import type { Caller } from "../http/endpoint.ts";
import { readMember } from "../member/member.ts";
import type { OnboardedResult, WhitelistResult } from "./contract.ts";
import { markOnboarded } from "./queries.ts";

/** Returns whether a member is on the whitelist. Throws NOT_FOUND if there is no such member. */
export async function readWhitelisted({ db }: Pick<Deps, "db">, userId: string): Promise<WhitelistResult> {
  const { isWhitelisted } = await readMember(db, userId);
  return { isWhitelisted };
}

/** Returns whether a member has been onboarded. Throws NOT_FOUND if there is no such member. */
export async function readOnboarded({ db }: Pick<Deps, "db">, userId: string): Promise<OnboardedResult> {
  const { onboardedAt } = await readMember(db, userId);
  return { success: onboardedAt !== null };
}

/** Onboards a caller who sends their own id. Throws FORBIDDEN for somebody else's. */
export async function onboardCaller(deps: Pick<Deps, "db" | "now">, caller: Caller, userId: string) {
  if (userId !== caller.userId) throw new AppError("FORBIDDEN", "You can only onboard your own account.");
  return onboardMember(deps, userId);
}

/** Onboards a member. Does nothing if repeated, and `alreadyExists` then says so. */
export async function onboardMember(
  { db, now }: Pick<Deps, "db" | "now">,
  userId: string,
): Promise<{ alreadyExists: boolean }> {
  const isFirst = await markOnboarded(db, { userId, now: now() });
  return { alreadyExists: !isFirst };
}
