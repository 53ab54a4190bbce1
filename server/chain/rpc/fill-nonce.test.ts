import { eq } from "drizzle-orm";
import { numberToHex, parseTransaction, type Hex } from "viem";
import { expect, test } from "vitest";
import {
  MANAGER,
  createScriptedStation,
  describeDeployment,
  openScriptedNode,
} from "../../../tests/support/chain/scripted-station.ts";
import { fails, NodeError } from "../../../tests/support/chain/scripted-node.ts";
import { eraseAtOnce } from "../../../tests/support/api/jobs.ts";
import { backgroundJobs, chainJobs } from "../../db/schema.ts";
import { FILL_NONCE } from "../left-nonces.ts";

const { database, node } = await openScriptedNode();
const { db } = database;
const rpcUrls = [`${node.url}/key-of-the-node`];
const { api, begin, beginSent, chain, clock } = createScriptedStation(database, node, { rpcUrls });
// Check the chain once here: the start is not the subject of these tests.
await chain.check();

/** Deletes a member whose transaction has nonce 5. */
async function leave(left: Parameters<typeof beginSent>[0] = {}) {
  const { userId } = await beginSent(left);
  await eraseAtOnce(api.deps, userId);
  expect(await db.$count(chainJobs)).toBe(0);
}

/** Sets how many nonces are used in the latest block, and in the one that is confirmed. */
function use({ latest, confirmed }: { latest: number; confirmed: number }) {
  node.answers.eth_getTransactionCount = (_: Hex, tag: string) => numberToHex(tag === "0x3e2" ? confirmed : latest);
}

async function advance() {
  clock.advance(60_000);
  await api.deps.chain.advance();
  return db.$count(backgroundJobs, eq(backgroundJobs.kind, FILL_NONCE));
}

const listSent = () => node.listRequests("eth_sendRawTransaction").map(([raw]) => parseTransaction(raw as Hex));

test.each(["signed", "sent", "mined"] as const)(
  "fills the nonce of a deleted member's %s transaction with an empty one, and checks it until it is confirmed",
  async (state) => {
    await leave({ state });
    use({ latest: 5, confirmed: 5 });
    expect(await advance()).toBe(1);
    const nothing = { nonce: 5, to: MANAGER.address.toLowerCase(), gas: 21_000n, chainId: 3338 };
    // Ten times what the network asks: for less, no node would replace what the job has sent.
    expect(listSent()).toMatchObject([{ ...nothing, maxFeePerGas: 1_300n, maxPriorityFeePerGas: 100n }]);
    expect(listSent()[0]).not.toHaveProperty("data");
    expect(listSent()[0]).not.toHaveProperty("value");

    use({ latest: 6, confirmed: 5 });
    expect(await advance()).toBe(1);
    use({ latest: 6, confirmed: 6 });
    expect(await advance()).toBe(0);
    expect(listSent()).toHaveLength(1);
  },
);

test("sends nothing if the deleted member's own transaction is mined", async () => {
  await leave();
  use({ latest: 6, confirmed: 6 });
  expect(await advance()).toBe(0);
  expect(listSent()).toEqual([]);
});

const readJob = async () => (await db.select().from(backgroundJobs).where(eq(backgroundJobs.kind, FILL_NONCE)))[0];

test("an empty transaction that is too cheap to replace the original waits for it", async () => {
  await leave();
  node.answers.eth_sendRawTransaction = () => new NodeError("replacement transaction underpriced");
  expect(await advance()).toBe(1);
  expect(await readJob()).toMatchObject({ lastError: null, attempts: 0 });
});

test("retries if the node fails or refuses, and records the error without the node's key", async () => {
  await leave();
  node.answers.eth_sendRawTransaction = () => new NodeError("insufficient funds for gas * price + value");
  expect(await advance()).toBe(1);
  const lastError = expect.stringMatching(/^the chain could not be asked \(fill-nonce\): \w+: \S/);
  expect(await readJob()).toMatchObject({ attempts: 1, lastError });
  node.answers.eth_blockNumber = fails;
  expect(await advance()).toBe(1);
  const job = await readJob();
  expect(job).toMatchObject({ attempts: 2, lastError });
  expect(job?.lastError).not.toContain("key-of-the-node");
});

test("does not fill a nonce that was given to a new job", async () => {
  await leave({ state: "signed" });
  const next = await begin({ stationNonce: "8" });
  await next.work();
  expect(await next.read()).toMatchObject({ state: "sent", senderNonce: 5 });
  expect(await advance()).toBe(0);
  const calls = listSent().map(({ data = "0x" }) => data.slice(0, 10));
  expect(new Set(calls)).toEqual(new Set([describeDeployment(8n).slice(0, 10)]));
});

/** Another account, which sent before with another key. */
const FORMER = "0x1111111111111111111111111111111111111111";

test("other jobs' nonces, or the same nonce of another account, do not fill the open one", async () => {
  await leave();
  await begin({ state: "finalized", sender: MANAGER.address, senderNonce: 6 });
  await begin({ state: "finalized", sender: FORMER, senderNonce: 5, stationNonce: "8" });
  expect(await advance()).toBe(1);
  expect(listSent()).toMatchObject([{ nonce: 5, gas: 21_000n }]);
});

test("does not fill a nonce of an account that no longer sends", async () => {
  await leave({ sender: FORMER });
  node.asked.length = 0;
  expect(await advance()).toBe(0);
  expect(listSent()).toEqual([]);
});
