import { eq, sql } from "drizzle-orm";
import type { Db } from "../db/client.ts";
import { prepared } from "../db/prepared.ts";
import { accountDeletions, chainJobs, users } from "../db/schema.ts";
import type { ProfileInput } from "./contract.ts";

const userById = prepared((db) =>
  db
    .select({
      id: users.id,
      email: users.email,
      avatar_url: users.avatarUrl,
      campaign_email: users.campaignEmail,
      discord_userid: users.discordUserid,
      discord_username: users.discordUsername,
      full_name: users.fullName,
      invited_by: users.invitedBy,
      personal_code: users.personalCode,
      telegram_handle: users.telegramHandle,
      updated_at: users.updatedAt,
      username: users.username,
      wallet: users.wallet,
      website: users.website,
      x_handle: users.xHandle,
      total_points_done: users.totalPointsDone,
      hasMachineId: sql<boolean>`exists (
        select from ${chainJobs}
        where ${chainJobs.userId} = ${users.id} and ${chainJobs.kind} = 'execute'
          and ${chainJobs.state} in ('completed', 'finalized')
      )`,
      deletion_due_at: accountDeletions.dueAt,
    })
    .from(users)
    .leftJoin(accountDeletions, eq(accountDeletions.userId, users.id))
    .where(eq(users.id, sql.placeholder("userId")))
    .prepare("find_user"),
);

export async function saveProfile(db: Db, userId: string, profile: ProfileInput & { updatedAt: Date }) {
  await db
    .update(users)
    .set({
      fullName: profile.full_name,
      username: profile.username,
      discordUsername: profile.discord_username,
      telegramHandle: profile.telegram_handle,
      xHandle: profile.x_handle,
      website: profile.website,
      avatarUrl: profile.avatar_url,
      updatedAt: profile.updatedAt,
    })
    .where(eq(users.id, userId));
}

export async function findUser(db: Db, userId: string) {
  const [user] = await userById(db).execute({ userId });
  return user;
}
