import { Client } from "pg";
import { UNEQUAL } from "../support/database/ledger-watch.ts";
import { sendRequest } from "./send-request.ts";
import type { Report } from "./fault.ts";
import type { Promised } from "./load.ts";

/** Counts the promises that are not kept exactly once. */
const BEATS = `
  select count(*)::int as wrong from unnest($1::uuid[], $2::timestamptz[]) as promised (user_id, at)
  where (
    select count(*) from heartbeats join points_ledger using (user_id)
    where heartbeats.user_id = promised.user_id and beat_at = promised.at
      and source = 'heartbeat' and occurred_at = beat_at
  ) <> 1`;
const CLAIMS = `
  select count(*)::int as wrong from unnest($1::uuid[], $2::text[]) as promised (user_id, campaign_id)
  where (
    select count(*) from points_ledger
    where user_id = promised.user_id and source = 'campaign' and source_id = promised.campaign_id
  ) <> 1`;
/** Counts rewards that were paid without being marked as claimed, or the other way round. */
const HALF = `
  select count(*)::int as wrong from
    (select user_id, campaign_id from campaign_submissions where claimed_at is not null) as claimed
    full join (select user_id, source_id as campaign_id from points_ledger where source = 'campaign') as paid
      using (user_id, campaign_id)
  where claimed is null or paid is null`;

/** Compares the database, and the server, with everything that was acknowledged. */
export async function expectTruth(report: Report, promised: Promised, at: { databaseUrl: string; url: string }) {
  const client = new Client({ connectionString: at.databaseUrl });
  await client.connect();
  const count = async (statement: string, values?: unknown[]) =>
    (await client.query<{ wrong: number }>(statement, values)).rows[0]?.wrong;
  const { beats, claims, tokens } = promised;
  const byBeat = [beats.map(({ userId }) => userId), beats.map(({ at }) => at)];
  const byClaim = [claims.map(({ userId }) => userId), claims.map(({ campaignId }) => campaignId)];
  const wrong = [await count(BEATS, byBeat), await count(CLAIMS, byClaim), await count(HALF)];
  const { rows: unequal } = await client.query(UNEQUAL);
  await client.end();
  let lost = 0;
  for (const token of tokens) if ((await sendRequest(at.url, { path: "/api/user", token })).status !== 200) lost += 1;

  report.expect(
    `${beats.length} heartbeats, ${claims.length} claims and ${tokens.length} sign-ins were acknowledged: ` +
      `${wrong[0]}, ${wrong[1]} and ${lost} of them are not there once`,
    beats.length > 0 && claims.length > 0 && wrong[0] === 0 && wrong[1] === 0 && lost === 0,
  );
  report.expect(`nothing is done by halves (${wrong[2]})`, wrong[2] === 0);
  report.expect(`ledger = sums = days of every member (${unequal.length} unequal)`, unequal.length === 0);
}
