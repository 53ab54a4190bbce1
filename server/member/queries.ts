import { asc, eq, sql } from "drizzle-orm";
import { prepared } from "../db/prepared.ts";
import {
  accountDeletions,
  campaignEmails,
  chainJobs,
  heartbeatTotals,
  legalAcceptances,
  legalVersions,
  machineIdentities,
  nodeDevices,
  silenceMails,
  users,
} from "../db/schema.ts";

type Acceptance = Pick<typeof legalAcceptances.$inferSelect, "document" | "version">;
type Published = Pick<typeof legalVersions.$inferSelect, "document" | "version" | "effectiveFrom">;

/**
 * Finds everything that a member has one of, by primary keys. Returns a row for each of their few jobs on the network,
 * oldest first.
 */
export const findMember = prepared((db) =>
  db
    .select({
      user: {
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
      },
      onboardedAt: users.onboardedAt,
      isWhitelisted: users.isWhitelisted,
      heartbeats: sql`coalesce(${heartbeatTotals.heartbeats}, 0)`.mapWith(Number),
      walletChangedAt: users.walletChangedAt,
      campaignMail: users.campaignMail,
      campaignEmail: {
        email: campaignEmails.email,
        expiresAt: campaignEmails.expiresAt,
        usedAt: campaignEmails.usedAt,
      },
      silenceMail: { afterHours: silenceMails.afterHours, tellsReturn: silenceMails.tellsReturn },
      acceptances: sql<Acceptance[]>`array(
        select jsonb_build_object('document', ${legalAcceptances.document}, 'version', ${legalAcceptances.version})
        from ${legalAcceptances} where ${legalAcceptances.userId} = ${users.id}
      )`,
      /** The document versions that are not in the code. Code that checks acceptances needs both. */
      published: sql<Published[]>`array(
        select jsonb_build_object('document', ${legalVersions.document}, 'version', ${legalVersions.version},
          'effectiveFrom', ${legalVersions.effectiveFrom})
        from ${legalVersions} order by ${legalVersions.document}, ${legalVersions.version}
      )`,
      deletionDueAt: accountDeletions.dueAt,
      hasNodeKey: sql<boolean>`exists (
        select from ${nodeDevices} where ${nodeDevices.userId} = ${users.id} and ${nodeDevices.revokedAt} is null
      )`,
      identity: machineIdentities,
      job: chainJobs,
    })
    .from(users)
    .leftJoin(accountDeletions, eq(accountDeletions.userId, users.id))
    .leftJoin(heartbeatTotals, eq(heartbeatTotals.userId, users.id))
    .leftJoin(campaignEmails, eq(campaignEmails.userId, users.id))
    .leftJoin(silenceMails, eq(silenceMails.userId, users.id))
    .leftJoin(machineIdentities, eq(machineIdentities.userId, users.id))
    .leftJoin(chainJobs, eq(chainJobs.userId, users.id))
    .where(eq(users.id, sql.placeholder("userId")))
    .orderBy(asc(chainJobs.createdAt), asc(chainJobs.id))
    .prepare("find_member"),
);
