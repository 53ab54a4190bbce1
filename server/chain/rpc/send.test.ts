import {
  decodeFunctionData,
  keccak256,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
  recoverTypedDataAddress,
  type Hex,
  type TransactionSerialized,
} from "viem";
import { expect, test } from "vitest";
import { accountAt } from "../../../tests/support/chain/anvil.ts";
import { FACTORY, fails, internalError, NodeError, reverts } from "../../../tests/support/chain/scripted-node.ts";
import {
  EXECUTION,
  MANAGER,
  OWNER,
  createScriptedStation,
  openScriptedNode,
  signByManager,
} from "../../../tests/support/chain/scripted-station.ts";
import { factoryAbi } from "../abi.ts";

const { database, node } = await openScriptedNode();
const { begin, chain, clock, readLastNonce } = createScriptedStation(database, node);
const KEPT = await signByManager();
const AGAIN = { again: 1_000 };
await chain.check();

/** Begins a job whose bytes were kept, and perhaps sent. */
const beginSigned = (bytes: { rawTx: Hex | null; txHash: Hex | null } = KEPT) =>
  begin({ state: "signed", sender: MANAGER.address, senderNonce: 5, ...bytes });
const sentBytes = () => node.listRequests("eth_sendRawTransaction").map(([raw]) => raw as TransactionSerialized);

test("sends and stores the simulated call, at the next nonce and with spare gas", async () => {
  const job = await begin({ attempts: 2 });
  node.answers.eth_estimateGas = () => numberToHex(100_001);
  const stored: unknown[] = [];
  node.answers.eth_sendRawTransaction = async (bytes: Hex) => {
    stored.push(await job.read());
    return keccak256(bytes);
  };
  expect(await job.work()).toEqual(AGAIN);

  const [raw] = sentBytes();
  if (!raw) throw new Error("Nothing was sent");
  // A process that dies before it has sent the bytes finds them stored.
  expect(stored).toMatchObject([{ state: "signed", rawTx: raw, senderNonce: 5, sentAt: null }]);
  const { data = "0x", ...transaction } = parseTransaction(raw);
  expect(transaction).toMatchObject({ type: "eip1559", chainId: 3338, to: FACTORY, nonce: 5, gas: 130_001n });
  // The base fee of 100 plus a fifth, plus the tip.
  expect(transaction).toMatchObject({ maxFeePerGas: 130n, maxPriorityFeePerGas: 10n });
  expect(await recoverTransactionAddress({ serializedTransaction: raw })).toBe(MANAGER.address);
  expect(node.listRequests("eth_estimateGas")).toEqual([[{ from: MANAGER.address, to: FACTORY, data }]]);
  expect(node.listRequests("eth_call").at(-1)).toMatchObject([{ from: MANAGER.address, data }, "latest"]);
  const kept = { state: "sent", sender: MANAGER.address, senderNonce: 5, rawTx: raw, attempts: 0, sentAt: clock.now() };
  expect(await job.read()).toMatchObject({ ...kept, sinceBlock: 1000, signedBlock: 1000 });
  expect(await readLastNonce()).toBe(5);
});

test("calls the factory with the owner and the nonce, both signed by the admin", async () => {
  await (await begin()).work();
  const [raw = "0x"] = sentBytes();
  const { data = "0x" } = parseTransaction(raw);
  const call = decodeFunctionData({ abi: factoryAbi, data });
  if (call.functionName !== "deployMachineSmartAccount") throw new Error("That deploys nothing");
  const [machineOwner, nonce, signature] = call.args;
  expect([machineOwner, nonce]).toEqual([OWNER, 7n]);
  const fields = [
    { name: "machineOwner", type: "address" },
    { name: "nonce", type: "uint256" },
  ] as const;
  const signer = await recoverTypedDataAddress({
    domain: { name: "MachineStationFactory", version: "1", chainId: 3338, verifyingContract: FACTORY },
    types: { DeployMachineSmartAccount: fields },
    primaryType: "DeployMachineSmartAccount",
    message: { machineOwner, nonce },
    signature,
  });
  expect(signer).toBe(accountAt(1).address);
});

test("nonces continue after the last one given out, even if the network reports a lower one", async () => {
  await (await begin()).work();
  const second = await begin({ stationNonce: "8", sinceBlock: 700 });
  await second.work();
  expect(await second.read()).toMatchObject({ senderNonce: 6, sinceBlock: 700 });
  expect(await readLastNonce()).toBe(6);

  node.answers.eth_getTransactionCount = (_: Hex, tag: string) => numberToHex(tag === "pending" ? 20 : 3);
  const third = await begin({ stationNonce: "9" });
  await third.work();
  expect(await third.read()).toMatchObject({ senderNonce: 20 });
});

test("nonces of a former sender account do not affect those of the current one", async () => {
  await begin({ state: "finalized", sender: OWNER, senderNonce: 5 });
  const job = await begin({ stationNonce: "8" });
  await job.work();
  expect(await job.read()).toMatchObject({ state: "sent", sender: MANAGER.address, senderNonce: 5 });
});

test("a nonce whose job is gone is given out again, because all later ones would wait for it", async () => {
  const gone = await begin();
  node.answers.eth_sendRawTransaction = () => new NodeError("insufficient funds for gas * price + value");
  await expect(gone.work()).rejects.toThrow("(signed)");
  const waiting = await begin({ stationNonce: "8" });
  await expect(waiting.work()).rejects.toThrow("(signed)");
  expect(await waiting.read()).toMatchObject({ senderNonce: 6 });
  await gone.remove();

  node.reset();
  const next = await begin({ stationNonce: "9" });
  await next.work();
  expect(await next.read()).toMatchObject({ state: "sent", senderNonce: 5 });
  // The previous version continues from the highest one.
  expect(await readLastNonce()).toBe(6);
  const last = await begin({ stationNonce: "10" });
  await last.work();
  expect(await last.read()).toMatchObject({ senderNonce: 7 });
  expect(await readLastNonce()).toBe(7);
});

test("a process that loses the job during the simulation sends nothing and takes no nonce", async () => {
  const job = await begin();
  node.answers.eth_estimateGas = async () => {
    await job.lose();
    return "0x1";
  };
  expect(await job.work()).toBeUndefined();
  expect(await job.read()).toMatchObject({ state: "queued", rawTx: null });
  expect(sentBytes()).toEqual([]);
  expect(await readLastNonce()).toBeNull();
});

test.each(["eth_estimateGas", "eth_maxPriorityFeePerGas", "eth_getTransactionCount", "eth_blockNumber", "eth_call"])(
  "signs nothing without an answer to %s, and retries",
  async (method) => {
    const job = await begin();
    node.answers[method] = fails;
    // The fallback from which the fee is made.
    node.answers.eth_gasPrice = fails;
    await expect(job.work()).rejects.toThrow("the chain could not be asked (queued)");
    expect(await job.read()).toMatchObject({ state: "queued", attempts: 0, rawTx: null });
    node.reset();
    expect(await job.work()).toEqual(AGAIN);
    expect(await job.read()).toMatchObject({ state: "sent", senderNonce: 5 });
  },
);

test.each(["already known", "nonce too low"])("treats a transaction as sent if the node says %j", async (words) => {
  const job = await beginSigned();
  node.answers.eth_sendRawTransaction = () => new NodeError(words);
  expect(await job.work()).toEqual(AGAIN);
  expect(await job.read()).toMatchObject({ state: "sent", sentAt: clock.now(), ...KEPT, replacedHashes: [] });
});

test("any other refusal keeps the signed transaction, which is then sent again", async () => {
  const job = await beginSigned();
  node.answers.eth_sendRawTransaction = () => new NodeError("insufficient funds for gas * price + value");
  await expect(job.work()).rejects.toThrow("the chain could not be asked (signed)");
  expect(await job.read()).toMatchObject({ state: "signed", attempts: 0, sentAt: null, ...KEPT });
  node.reset();
  expect(await job.work()).toEqual(AGAIN);
  expect(await job.read()).toMatchObject({ state: "sent", attempts: 0 });
  expect(sentBytes()).toEqual([KEPT.rawTx]);
});

test("treats a transaction whose nonce is used as sent, whatever the node says", async () => {
  const job = await beginSigned();
  node.answers.eth_sendRawTransaction = () => new NodeError("it had its turn", { code: -32603 });
  node.answers.eth_getTransactionCount = (_: Hex, tag: string) => numberToHex(tag === "latest" ? 6 : 5);
  expect(await job.work()).toEqual(AGAIN);
  expect(await job.read()).toMatchObject({ state: "sent", sentAt: clock.now(), ...KEPT });
});

test("reports the refusal of the transaction if the used nonces cannot be read either", async () => {
  const job = await beginSigned();
  node.answers.eth_sendRawTransaction = () => new NodeError("insufficient funds for gas * price + value");
  node.answers.eth_getTransactionCount = fails;
  await expect(job.work()).rejects.toThrow("(signed): InvalidInputRpcError");
  expect(await job.read()).toMatchObject({ state: "signed", attempts: 0 });
});

test.each([
  ["a quarter more than before", "0x64", 1_251n, 126n],
  ["what the network asks by now", numberToHex(5_000), 6_010n, 126n],
])(
  "signs the same call again for %s if the fee is too low",
  async (_, baseFeePerGas, maxFeePerGas, maxPriorityFeePerGas) => {
    const job = await beginSigned();
    node.answers.eth_getBlockByNumber = () => ({ baseFeePerGas });
    node.answers.eth_sendRawTransaction = () => new NodeError("replacement transaction underpriced");
    expect(await job.work()).toEqual(AGAIN);
    const { rawTx, ...left } = await job.read();
    expect(left).toMatchObject({ state: "signed", replacedHashes: [KEPT.txHash], senderNonce: 5, sentAt: null });
    const before = parseTransaction(KEPT.rawTx as TransactionSerialized);
    const after = parseTransaction(rawTx as TransactionSerialized);
    const unsigned = { r: undefined, s: undefined, v: undefined, yParity: undefined };
    expect({ ...after, ...unsigned }).toEqual({ ...before, ...unsigned, maxFeePerGas, maxPriorityFeePerGas });

    node.reset();
    await job.work();
    expect(sentBytes()).toEqual([rawTx]);
    expect(await job.read()).toMatchObject({ state: "sent" });
  },
);

test("waits instead of signing for more than ten times the network's fee", async () => {
  const dear = await signByManager({ maxFeePerGas: 1_040n });
  const job = await beginSigned(dear);
  node.answers.eth_sendRawTransaction = () => new NodeError("replacement transaction underpriced");
  await expect(job.work()).rejects.toThrow("the chain could not be asked (signed)");
  expect(await job.read()).toMatchObject({ state: "signed", attempts: 0, replacedHashes: [], ...dear });
});

test("replaces nothing if the network's fees cannot be read", async () => {
  const job = await beginSigned();
  node.answers.eth_getBlockByNumber = fails;
  node.answers.eth_sendRawTransaction = () => new NodeError("replacement transaction underpriced");
  await expect(job.work()).rejects.toThrow("the chain could not be asked (signed)");
  expect(await job.read()).toMatchObject({ state: "signed", ...KEPT });
});

test("replaces a signed transaction even if its hash was not stored", async () => {
  const job = await beginSigned({ ...KEPT, txHash: null });
  node.answers.eth_sendRawTransaction = () => new NodeError("transaction underpriced");
  await job.work();
  expect(await job.read()).toMatchObject({ state: "signed", replacedHashes: [] });
});

test.each([
  ["no bytes", null, "A signed job has no bytes"],
  ["no gas", (await signByManager({ gas: 0n })).rawTx, "The bytes of a job say too little"],
  ["no call", (await signByManager({ data: "0x" })).rawTx, "The bytes of a job say too little"],
])("does not replace a signed transaction that has %s", async (_, rawTx, words) => {
  const job = await beginSigned({ ...KEPT, rawTx });
  node.answers.eth_sendRawTransaction = () => new NodeError("transaction underpriced");
  await expect(job.work()).rejects.toThrow(words);
  expect(await job.read()).toMatchObject({ state: "signed", rawTx });
});

test("replaces a transaction that offers no fee with one for the network's fee", async () => {
  const job = await beginSigned(await signByManager({ maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }));
  node.answers.eth_sendRawTransaction = () => new NodeError("transaction underpriced");
  await job.work();
  const { rawTx } = await job.read();
  expect(parseTransaction(rawTx as TransactionSerialized)).toMatchObject({
    maxFeePerGas: 130n,
    maxPriorityFeePerGas: 10n,
  });
});

test.each([
  ["machine", { machineAddress: null }],
  ["contract to call", { target: null }],
  ["call", { calldata: null }],
  ["call in hexadecimal", { calldata: "a call" }],
  ["signature in hexadecimal", { consentSignature: "a signature" }],
])("does not execute a job without a %s", async (_, missing) => {
  const job = await begin({ ...EXECUTION, ...missing });
  await expect(job.work()).rejects.toThrow("A job to execute says too little");
  expect(await job.read()).toMatchObject({ state: "queued" });
});

test.each([
  [reverts("NotAuthorized", [OWNER]), { state: "failed", errorName: "NotAuthorized" }],
  [reverts(), { state: "failed", errorName: "Reverted" }],
  [internalError("Internal error", reverts("NotAuthorized", [OWNER]).data), { errorName: "NotAuthorized" }],
  [internalError("VM Exception while processing transaction: revert"), { errorName: "Reverted" }],
])("never sends a call that reverts in the simulation", async (said, left) => {
  const job = await begin(EXECUTION);
  node.contracts.executeMachineTransaction = () => said;
  expect(await job.work()).toBeUndefined();
  expect(await job.read()).toMatchObject(left);
  expect(sentBytes()).toEqual([]);
});
