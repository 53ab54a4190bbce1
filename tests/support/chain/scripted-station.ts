import { encodeFunctionData, keccak256, toHex, type Hex } from "viem";
import { afterAll, beforeEach } from "vitest";
import { factoryAbi, identityAbi } from "../../../server/chain/abi.ts";
import type { Job } from "../../../server/chain/chain-gateway.ts";
import { createRpcChain } from "../../../server/chain/rpc/rpc-chain.ts";
import type { Timing } from "../../../server/chain/rpc/station.ts";
import { IDENTITY_PRECOMPILE } from "../../../server/chain/contract.ts";
import { chainSenders } from "../../../server/db/schema.ts";
import type { Logger } from "../../../server/log/log.ts";
import { createTestApi, createTestClock, SILENT } from "../api/api.ts";
import { createTestDatabase, type TestDatabase } from "../database/test-database.ts";
import { accountAt, keyOf } from "./anvil.ts";
import { beginJob } from "./leased-job.ts";
import { FACTORY, MACHINE, startScriptedNode, type ScriptedNode } from "./scripted-node.ts";

type Options = { rpcUrls?: string[]; timing?: Partial<Timing>; log?: Logger };

export const OWNER = accountAt(4).address;
export const MANAGER = accountAt(2);
/** The record that a job to execute writes. */
export const NAME = toHex("did:peaq:machine");
export const VALUE = toHex("the document");

export const describeRecord = (value = VALUE) =>
  encodeFunctionData({ abi: identityAbi, functionName: "addAttribute", args: [MACHINE, NAME, value, 0] });

/** The fields of a job that writes an identity. */
export const EXECUTION = {
  kind: "execute",
  machineAddress: MACHINE,
  target: IDENTITY_PRECOMPILE,
  calldata: describeRecord(),
} as const;

/** Encodes the call with which an account is deployed at the factory. */
export const describeDeployment = (nonce: bigint, owner = OWNER) =>
  encodeFunctionData({ abi: factoryAbi, functionName: "deployMachineSmartAccount", args: [owner, nonce, "0x"] });

/** The nonce and fees of the bytes that a job has stored. */
const KEPT = { nonce: 5, gas: 130_000n, maxFeePerGas: 1_000n, maxPriorityFeePerGas: 100n };

/** Returns the bytes of a transaction that the manager has signed. */
export async function signByManager(changes: Partial<typeof KEPT> & { data?: Hex } = {}) {
  const data = describeDeployment(7n);
  const rawTx = await MANAGER.signTransaction({
    type: "eip1559",
    chainId: 3338,
    to: FACTORY,
    data,
    ...KEPT,
    ...changes,
  });
  return { rawTx, txHash: keccak256(rawTx) };
}

/**
 * Opens a scripted node and a database for the tests of a file. Both are reset before each test, and closed at the end.
 */
export async function openScriptedNode() {
  const database = await createTestDatabase();
  const node = await startScriptedNode();
  beforeEach(async () => {
    node.reset();
    await database.reset();
  });
  afterAll(async () => {
    await node.stop();
    await database.close();
  });
  return { database, node };
}

/**
 * Creates the station at a scripted node, on a database whose rows a test writes: one job, which this process holds.
 */
export function createScriptedStation({ db }: TestDatabase, node: ScriptedNode, options: Options = {}) {
  const { log = SILENT, rpcUrls = [`${node.url}/?key=key-of-the-node`], timing } = options;
  const clock = createTestClock();
  const keys = { adminKey: keyOf(accountAt(1)), managerKey: keyOf(MANAGER) };
  const once = { requestRetries: 0, memberRetries: 0 };
  const chain = createRpcChain({
    db,
    log,
    now: clock.now,
    rpcUrls,
    factory: FACTORY,
    ...keys,
    timing: { ...once, ...timing },
  });
  const api = createTestApi({ db }, { now: clock.now, chain });

  /** Adds a job in a given state, which this process holds. */
  const begin = (left: Partial<Job> = {}) => beginJob(api.deps, left);

  /** Adds a job that was sent a moment ago and has stored its bytes. */
  const beginSent = async (left: Partial<Job> = {}) =>
    begin({
      state: "sent",
      sender: MANAGER.address,
      senderNonce: 5,
      sentAt: clock.now(),
      ...(await signByManager()),
      ...left,
    });

  const readLastNonce = async () => (await db.select().from(chainSenders))[0]?.lastNonce;

  return { api, chain, clock, begin, beginSent, readLastNonce };
}
