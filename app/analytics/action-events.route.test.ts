import { afterAll, expect, test } from "vitest";
import { CLAIM_ALL_INTENT, CLAIM_INTENT } from "../claims/claim-form.tsx";
import { HEARTBEAT_REWARD } from "../client/heartbeat-reward.ts";
import { inTransaction } from "../../server/db/transaction.ts";
import { countBeats } from "../../server/heartbeats/service.ts";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { describePages, listUnreadMessages } from "../../tests/support/pages/test-pages.ts";
import { hourlyBeats } from "../../tests/support/seeds/beats.ts";
import { inviteFriend } from "../../tests/support/seeds/invite-friend.ts";
import { ACTION_EVENT } from "./events.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

const READY = { heartbeats: 100, wallet: true };

describePages(
  database,
  api,
  ({ visitMember }) => {
    async function visitMeasured() {
      const { user, visitor } = await visitMember();
      visitor.cookies.set("analytics_consent", "granted");
      return { user, visitor, listEvents: () => listUnreadMessages(visitor, ACTION_EVENT) };
    }

    test("reports the claim for one friend and for all friends, each once, but not a refused one", async () => {
      const { listEvents, user, visitor } = await visitMeasured();
      const claim = (id: string) => visitor.post("/referrals", { intent: CLAIM_INTENT, id });
      const claimAll = () => visitor.post("/referrals", { intent: CLAIM_ALL_INTENT });
      const pending = await inviteFriend(api.deps, user.id, { heartbeats: 99 });
      await claim(pending);
      await claimAll();
      expect(listEvents()).toEqual([]);

      await claim(await inviteFriend(api.deps, user.id, READY));
      expect(listEvents()).toEqual(["referral_claimed"]);

      const other = await visitMeasured();
      for (const progress of [READY, READY]) await inviteFriend(api.deps, other.user.id, progress);
      await other.visitor.post("/referrals", { intent: CLAIM_ALL_INTENT });
      expect(other.listEvents()).toEqual(["referral_claimed"]);
    });

    test("reports the claim for a reward with the reward's id", async () => {
      const { listEvents, user, visitor } = await visitMeasured();
      const claim = () => visitor.post("/rewards", { intent: CLAIM_INTENT, id: HEARTBEAT_REWARD });
      await claim();
      expect(listEvents()).toEqual([]);
      const beats = hourlyBeats(user.id, 100, new Date());
      await inTransaction(database.db, (tx) => countBeats(tx, beats, api.deps.env));
      await claim();
      expect(listEvents()).toEqual([`reward_claimed.${HEARTBEAT_REWARD}`]);
    });
  },
  { gtmId: "GTM-TEST1" },
);
