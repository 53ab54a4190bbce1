import type { Deps } from "../deps.ts";
import { isDone, readMember } from "../member/member.ts";
import { Profile, type ProfileInput, type User } from "./contract.ts";
import { saveProfile } from "./queries.ts";

/** Returns the member as the product shows them to themselves. Throws NOT_FOUND if there is no such member. */
export async function readUser({ db }: Pick<Deps, "db">, userId: string): Promise<User> {
  const { deletionDueAt, hasNodeKey, latestJobs, user } = await readMember(db, userId);
  return {
    ...user,
    hasMachineId: latestJobs.execute !== undefined && isDone(latestJobs.execute),
    updated_at: user.updated_at.toISOString(),
    ...(deletionDueAt && { deletion_due_at: deletionDueAt.toISOString() }),
    ...(hasNodeKey && { has_node_key: true }),
  };
}

/** Replaces a member's profile. If two changes come at once, the later one wins. */
export async function updateProfile(
  deps: Pick<Deps, "db" | "now">,
  userId: string,
  profile: ProfileInput,
): Promise<User> {
  await saveProfile(deps.db, userId, { ...profile, updatedAt: deps.now() });
  return readUser(deps, userId);
}

/** Returns a member's profile. Throws NOT_FOUND if there is no such member. */
export async function readProfile(deps: Pick<Deps, "db">, userId: string): Promise<Profile> {
  return Profile.parse(await readUser(deps, userId));
}
