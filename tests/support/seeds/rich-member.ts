import { sendJobResults } from "../../../server/agent-insights/contract.ts";
import type { Db } from "../../../server/db/client.ts";
import { inTransaction } from "../../../server/db/transaction.ts";
import { readDevices, registerDevice } from "../../../server/heartbeats/contract.ts";
import { countBeats } from "../../../server/heartbeats/service.ts";
import { readPointsLog } from "../../../server/points/contract.ts";
import { recordReferral } from "../../../server/referrals/service.ts";
import { completeCampaign } from "../../../server/campaigns/completions.ts";
import { saveCampaigns } from "../../../server/campaigns/service.ts";
import { readSessions } from "../../../server/sessions/contract.ts";
import { seedMember, type createTestApi } from "../api/api.ts";
import { hourlyBeats } from "./beats.ts";
import { dumpDatabase } from "../database/dump-database.ts";

/** Creates a member with one of everything that has an id, and returns those ids. */
export async function seedRichMember(api: ReturnType<typeof createTestApi>) {
  const { deps } = api;
  const { token, user } = await seedMember(deps);
  const friend = await seedMember(deps, { wallet: "0x0000000000000000000000000000000000000001" });
  const at = deps.now();
  const referral = await inTransaction(deps.db, async (tx) => {
    await countBeats(tx, hourlyBeats(friend.user.id, 100, at), deps.env);
    await saveCampaigns(tx, CAMPAIGNS);
    await completeCampaign(tx, { userId: user.id, campaignId: "campaign-done", at });
    return recordReferral(tx, { inviterId: user.id, inviteeId: friend.user.id, at });
  });
  await api.read(registerDevice, { token, body: { name: "Attic" } });
  const job = { jobId: "job-of-ada", finishedAt: at.toISOString(), resultSize: 10, items: [ITEM] };
  await api.read(sendJobResults, { token, body: { jobs: [job] } });
  const { devices } = await api.read(readDevices, { token });
  const { data } = await api.read(readPointsLog, { token, query: {} });
  const { sessions } = await api.read(readSessions, { token });
  return {
    user,
    token,
    ids: {
      user: user.id,
      session: sessions[0]?.id ?? "",
      device: devices[0]?.id ?? "",
      referral: referral ?? "",
      campaign: "campaign-done",
      job: job.jobId,
      item: ITEM.reference,
      entry: data[0]?.id ?? "",
    },
  };
}

const ITEM = { kind: "post", reference: "post-of-ada", title: "A post" } as const;

const campaign = {
  name: "Follow us",
  type: "social",
  formUrl: "https://nodebeat.example/follow",
  bonusPoints: 250,
  mandatory: true,
  buttonText: null,
};

const CAMPAIGNS = [
  { ...campaign, id: "campaign-done", taskNumber: 1 },
  { ...campaign, id: "campaign-open", taskNumber: 2 },
];

/** Returns every row that contains a member's id, as text. */
export async function dumpRowsOf({ db }: { db: Db }, userId: string): Promise<string[]> {
  const rows = (await dumpDatabase(db)).split("\n");
  return rows.filter((row) => row.includes(userId)).toSorted();
}
