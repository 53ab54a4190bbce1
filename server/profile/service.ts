import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import type { User } from "./contract.ts";
import { findUser } from "./queries.ts";

/** The member as the product shows them to themselves. Throws NOT_FOUND when there is no such member. */
export async function readUser({ db }: Pick<Deps, "db">, userId: string): Promise<User> {
  const user = await findUser(db, userId);
  if (!user) throw new AppError("NOT_FOUND", "There is no such member.");
  return { ...user, updated_at: user.updated_at.toISOString() };
}
