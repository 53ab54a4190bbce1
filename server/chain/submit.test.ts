import { eq, gt, sql } from "drizzle-orm";
import { keccak256, type Hex } from "viem";
import { expect, test } from "vitest";
import { createTestApi, FAR_AHEAD, seedMember } from "../../tests/support/api/api.ts";
import { accountAt } from "../../tests/support/chain/anvil.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { inTransaction } from "../db/transaction.ts";
import { backgroundJobs, chainJobs } from "../db/schema.ts";
import { readMember } from "../member/member.ts";
import { createRpcChain } from "./rpc/rpc-chain.ts";
import { submit } from "./submit.ts";
import { IDENTITY_PRECOMPILE } from "./contract.ts";

const {
  api: { deps },
  clock,
  database,
} = await openTestApi();
const { db } = deps;

const key = keccak256("0x12");
const nowhere = { rpcUrls: ["http://127.0.0.1:1"], factory: IDENTITY_PRECOMPILE, adminKey: key, managerKey: key };
const options = { db, log: deps.log, now: clock.now };

const consent = { owner: accountAt(4).address, nonce: "12", signature: "0x34" };
const call = { machine: accountAt(5).address, target: IDENTITY_PRECOMPILE, calldata: "0x56" } as const;
const DIGEST = keccak256("0x78");

const write = (wanted: Parameters<typeof submit>[1], digest: Hex) =>
  inTransaction(db, (tx) => submit(tx, wanted, { digest, at: clock.now() }));

test("a submission to the chain is stored and queued before anything is sent", async () => {
  const { user } = await seedMember(deps);
  const submission = { ...consent, userId: user.id };
  const deploy = await write(submission, DIGEST);
  clock.advance(1_000);
  const execute = await write({ ...submission, ...call }, key);

  const owner = accountAt(4).address.toLowerCase();
  const common = {
    userId: user.id,
    state: "queued",
    owner,
    consentNonce: "12",
    consentSignature: "0x34",
    txHash: null,
  };
  expect(deploy).toMatchObject({ ...common, kind: "deploy", consentDigest: DIGEST, machineAddress: null });
  // The member's number may be somebody else's too, so the job has its own.
  expect(BigInt(deploy.stationNonce)).toBeGreaterThan(2n ** 128n);
  const called = { machineAddress: call.machine, target: call.target, calldata: call.calldata, stationNonce: "12" };
  expect(execute).toMatchObject({ ...common, kind: "execute", consentDigest: key, createdAt: clock.now(), ...called });

  expect(await readMember(db, user.id)).toMatchObject({ jobs: [deploy, execute], latestJobs: { deploy, execute } });
  const queued = await db.select().from(backgroundJobs).where(eq(backgroundJobs.kind, "chain"));
  expect(queued.map(({ dueAt, key: id }) => [id, dueAt])).toEqual([
    [deploy.id, deploy.createdAt],
    [execute.id, execute.createdAt],
  ]);
});

test("a job that is submitted while a clock is ahead does not wait for that time", async () => {
  const { user } = await seedMember(deps);
  clock.advance(FAR_AHEAD);
  await write({ ...consent, userId: user.id }, DIGEST);
  clock.advance(-FAR_AHEAD);
  const notYet = gt(backgroundJobs.dueAt, sql`now()`);
  expect([await db.$count(backgroundJobs), await db.$count(backgroundJobs, notYet)]).toEqual([1, 0]);
});

test("a consent is accepted once, whoever submits it, and nothing is queued for the second", async () => {
  await write({ ...consent, userId: (await seedMember(deps)).user.id }, DIGEST);
  const refused = { code: "CONFLICT", message: "This was already signed or started." };
  await expect(write({ ...consent, userId: (await seedMember(deps)).user.id }, DIGEST)).rejects.toMatchObject(refused);
  expect(await db.$count(chainJobs)).toBe(1);
  expect(await db.$count(backgroundJobs, eq(backgroundJobs.kind, "chain"))).toBe(1);
});

test("a failing job is retried after at most a second, and later after up to half a minute", async () => {
  const chain = createRpcChain({ ...options, ...nowhere, timing: { memberRetries: 0, retryStart: 0 } });
  const failing = createTestApi(database, { now: clock.now, chain: { ...chain, isReady: () => true } }).deps.chain;
  const { user } = await seedMember(deps);
  await write({ ...consent, userId: user.id }, DIGEST);
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    expect(await failing.advance()).toBe(1);
    const [job] = await db.select().from(backgroundJobs).where(eq(backgroundJobs.kind, "chain"));
    expect(job?.lastError).toContain("The identity network cannot be reached at the moment.");
    waits.push((job?.dueAt.getTime() ?? 0) - clock.now().getTime());
    clock.advance(30_000);
  }
  const [first = 0, , , , last = 0] = waits;
  expect([first >= 500 && first <= 1_000, last >= 15_000 && last <= 30_000]).toEqual([true, true]);
});
