import { createSessionCookie } from "../../app/session/session.ts";
import { openDatabase } from "../../server/db/client.ts";
import { inTransaction } from "../../server/db/transaction.ts";
import { completeCampaign } from "../../server/campaigns/completions.ts";
import { saveCampaigns } from "../../server/campaigns/service.ts";
import { registerDevice } from "../../server/heartbeats/service.ts";
import { onboardMember } from "../../server/onboarding/service.ts";
import { createTestDeps, NO_CLIENT, seedMember, SILENT } from "../support/api/api.ts";

/** A member who takes part: with a session, a machine's key, and campaigns that are completed but not claimed. */
export type Member = { userId: string; email: string; token: string; cookie: string; key: string };
export type Seeded = { members: Member[]; campaignIds: string[]; forgetful: string[] };

type Numbers = { members?: number; campaigns?: number; forgetful?: number };

/** Migrates the database and fills it, using the services themselves. */
export async function seed(databaseUrl: string, numbers: Numbers = {}): Promise<Seeded> {
  const { members: count = 6, campaigns = 150, forgetful = 60 } = numbers;
  const database = await openDatabase({ databaseUrl, dataDir: "", log: SILENT });
  const deps = createTestDeps(database);
  const campaignIds = Array.from({ length: campaigns }, (_, index) => `campaign-${index}`);
  const rows = campaignIds.map((id, index) => ({
    id,
    name: `Campaign ${index}`,
    type: "form",
    formUrl: "https://forms.example/a",
    bonusPoints: 10,
    mandatory: false,
    taskNumber: index,
  }));
  await inTransaction(database.db, (tx) => saveCampaigns(tx, rows));
  // One at a time: on a busy machine, many at once would wait too long for a connection.
  const members: Member[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const { token, user } = await seedMember(deps);
    await onboardMember(deps, user.id);
    const asked = { caller: { userId: user.id }, client: NO_CLIENT };
    const { deviceKey } = await registerDevice(deps, { name: "Node" }, asked);
    await inTransaction(database.db, async (tx) => {
      for (const campaignId of campaignIds) {
        await completeCampaign(tx, { userId: user.id, campaignId, at: new Date() });
      }
    });
    const cookie = await createSessionCookie(undefined).commit({ accessToken: token, userId: user.id });
    members.push({ userId: user.id, email: user.email, token, cookie: cookie.split(";")[0] ?? "", key: deviceKey });
  }
  const others: string[] = [];
  for (let nth = 0; nth < forgetful; nth += 1) others.push((await seedMember(deps)).user.email);
  await database.close();
  return { members, campaignIds, forgetful: others };
}
