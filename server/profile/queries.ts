import { eq } from "drizzle-orm";
import type { Db } from "../db/client.ts";
import { users } from "../db/schema.ts";
import type { ProfileInput } from "./contract.ts";

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
