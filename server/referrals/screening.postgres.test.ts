import { afterAll, expect, test } from "vitest";
import { createTestDeps, seedMember } from "../../tests/support/api/api.ts";
import { watchLocks } from "../../tests/support/database/lock-watch.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { setAddress } from "../auth/address.ts";
import { inTransaction } from "../db/transaction.ts";
import { findHeld } from "./review.queries.ts";
import { recordReferral } from "./service.ts";

const database = await createTestDatabase();
const { db } = database;
const deps = createTestDeps(database);
const { block, hold } = watchLocks(database);
afterAll(() => database.close());

test("holds an invitation if the account of the same mailbox changes its address at that moment", async () => {
  const { user: inviter } = await seedMember(deps, { email: "ada@example.com" });
  const { user: former } = await seedMember(deps, { email: "cleo@example.com" });
  const { user: friend } = await seedMember(deps, { email: "cleo+2@example.com" });
  const now = deps.now();
  const mailboxHashes = [deps.mailed.hashMailbox("cleo@example.com")];
  const joining = { inviterId: inviter.id, inviteeId: friend.id, mailboxHashes, at: now };

  // Halfway through, the screening looks up who has used the browser, and waits here.
  const release = await hold("lock table known_devices in access exclusive mode");
  const [recording] = await block(() => inTransaction(db, (tx) => recordReferral(tx, joining)));
  const move = { userId: former.id, email: "cleo@elsewhere.example", now };
  await inTransaction(db, (tx) => setAddress(deps, tx, move));
  await release();

  await recording;
  expect(await findHeld(db)).toMatchObject([{ invitee: "cleo+2@example.com" }]);
});
