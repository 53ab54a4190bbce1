import { expect, test } from "vitest";
import { seedMember } from "../../tests/support/api/api.ts";
import { seedHeardMinutes } from "../../tests/support/seeds/heard-minutes.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { sendHeartbeats } from "../heartbeats/contract.ts";
import { setSilenceMail } from "./contract.ts";
import { checkForSilence } from "./watch.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const AHEAD = 72 * HOUR;

const { api, clock, database, mailbox } = await openTestApi();

/** Advances the clock, and then looks for silent nodes. */
async function pass(milliseconds: number) {
  clock.advance(milliseconds);
  await seedHeardMinutes(database.db, clock.now());
  await checkForSilence(api.deps);
  await mailbox.deliver();
}

test("a silence is mailed on time after a clock that was days ahead is set back", async () => {
  const { token } = await seedMember(api.deps);
  await api.read(setSilenceMail, { token, body: { afterHours: 1, tellsReturn: false } });
  const beat = (at: number) =>
    api.read(sendHeartbeats, { token, body: { beats: [{ timestamp: new Date(at).toISOString() }] } });
  await beat(clock.now().getTime());
  await pass(20 * MINUTE);
  const last = clock.now().getTime();
  clock.advance(AHEAD);
  await beat(last);
  await pass(0);
  clock.advance(-AHEAD);

  await pass(HOUR - MINUTE);
  expect(mailbox.mails).toEqual([]);
  await pass(MINUTE);
  expect(mailbox.mails.map(({ subject }) => subject)).toEqual(["Your node has been silent for 1 hour"]);
});
