import { afterAll, expect, test } from "vitest";
import { createTestApi, seedMember } from "../../tests/support/api/api.ts";
import { newWallet } from "../../tests/support/chain/new-wallet.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { describePages, readPage, type Visitor } from "../../tests/support/pages/test-pages.ts";
import { inTransaction } from "../../server/db/transaction.ts";
import { registerDevice, revokeDevice, sendHeartbeats } from "../../server/heartbeats/contract.ts";
import { readMachineIdentity, readMachineIdStatus, readSmartAccount } from "../../server/machine-id/contract.ts";
import { readPointsRules } from "../../server/points/contract.ts";
import { postPoints } from "../../server/points/service.ts";
import { recordReferral } from "../../server/referrals/service.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

const DONE = { success: true, message: "" };
const STEPS = ["Create a key for your node", "Send the first heartbeat", "Link a wallet", "Invite a friend"];
const beat = (token: string) =>
  api.read(sendHeartbeats, { token, body: { beats: [{ timestamp: new Date().toISOString() }] } });

/** Returns the steps that are ticked, or null if there is no list. */
async function readTicks(visitor: Visitor) {
  const { text } = await readPage(visitor, "/dashboard");
  if (!text.includes("Get started")) return null;
  const done = STEPS.filter((step) => text.includes(`Done: ${step}`));
  expect(text).toContain(`${done.length} of 4 done`);
  return done;
}

describePages(database, api, ({ pages, visitMember }) => {
  test("ticks each step once it is done, and hides the list after the last one", async () => {
    const { visitor, token, user } = await visitMember();
    expect(await readTicks(visitor)).toEqual([]);
    const readStart = async () =>
      /href="\/agentinsights#start-node"[^>]*>([^<]+)/.exec((await readPage(visitor, "/dashboard")).html)?.[1];
    expect(await readStart()).toBe("Create a key");

    await api.read(registerDevice, { token, body: { name: "attic" } });
    expect(await readTicks(visitor)).toEqual(STEPS.slice(0, 1));
    expect(await readStart()).toBe("Start your node");

    await beat(token);
    expect(await readTicks(visitor)).toEqual(STEPS.slice(0, 2));
    expect(await readStart()).toBeUndefined();

    await database.pool.query("update users set wallet = $1 where id = $2", [newWallet().address, user.id]);
    expect(await readTicks(visitor)).toEqual(STEPS.slice(0, 3));

    const friend = await seedMember(api.deps);
    await inTransaction(database.db, (tx) =>
      recordReferral(tx, { inviterId: user.id, inviteeId: friend.user.id, at: new Date() }),
    );
    expect(await readTicks(visitor)).toBeNull();
  });

  test("leaves out the steps of a node if the backend has no keys for nodes", async () => {
    const { visitor } = await visitMember();
    pages.override(readPointsRules, () => Response.json({ message: "No", error: "NOT_FOUND" }, { status: 404 }));
    const { html, text } = await readPage(visitor, "/dashboard");
    expect(text).toContain("0 of 2 done");
    expect(html).not.toContain("#start-node");
  });

  test("a heartbeat without a node key ticks both steps of a node", async () => {
    const { visitor, token } = await visitMember();
    await beat(token);
    expect(await readTicks(visitor)).toEqual(STEPS.slice(0, 2));
  });

  test("a revoked key ticks no step", async () => {
    const { visitor, token } = await visitMember();
    const { deviceId: id } = await api.read(registerDevice, { token, body: { name: "attic" } });
    await api.read(revokeDevice, { token, params: { id } });
    expect(await readTicks(visitor)).toEqual([]);
  });

  test("an invited member, who already has points, sees the list, too", async () => {
    const { visitor, user } = await visitMember();
    const rule = { source: "test", rule: "test", version: 1, category: "Referral" } as const;
    await inTransaction(database.db, (tx) =>
      postPoints(tx, [
        { userId: user.id, rule, sourceId: "joined", points: 1000, comment: "Joined", occurredAt: new Date() },
      ]),
    );
    expect(await readTicks(visitor)).toEqual([]);
    const { text } = await readPage(visitor, "/dashboard");
    expect(text).toMatch(/Referral points 0 from friends you invited/);
  });

  test("hiding the list works without a script, and hides it for this member only", async () => {
    const { visitor, user } = await visitMember();
    const response = await visitor.post("/shell/first-steps", { member: user.id, returnTo: "/dashboard" });
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/dashboard"]);
    expect(await readTicks(visitor)).toBeNull();

    const another = await visitMember();
    another.visitor.cookies.set("first_steps_hidden", user.id);
    expect(await readTicks(another.visitor)).toEqual([]);
  });

  test("a Machine ID replaces its requirements", async () => {
    const { visitor } = await visitMember();
    expect((await readPage(visitor, "/dashboard")).text).toContain("Machine ID Requirements");
    const { address } = newWallet();
    pages.override(readSmartAccount, () => Response.json({ ...DONE, smartAccount: address, status: "completed" }));
    pages.override(readMachineIdStatus, () => Response.json({ status: "completed" }));
    pages.override(readMachineIdentity, () => Response.json({ ...DONE, data: { public_address: address } }));
    const { html, text } = await readPage(visitor, "/dashboard");
    expect(text).not.toContain("Machine ID Requirements");
    expect(text).toContain(`Your Machine ID ${address.slice(0, 6)}`);
    expect(html).toContain('href="/profile#identity"');
  });
});
