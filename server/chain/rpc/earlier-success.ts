import { decodeFunctionData, getAbiItem, isAddressEqual, type Hash, type Hex, type TransactionReceipt } from "viem";
import { factoryAbi, olderFactoryAbi } from "../abi.ts";
import type { Job } from "../chain-gateway.ts";
import { restoreIdentity } from "../identities.queries.ts";
import { listOthers } from "../jobs.queries.ts";
import { describeReceipt, findReceipt, findWriter, requireOwn } from "./confirm.ts";
import { isTooMuch, type Refused } from "./rpc-errors.ts";
import { readExecution } from "./station-call.ts";
import { save, type Work } from "./work.ts";

/** How many blocks most nodes let a search span, and the smallest span that is still split for one that does not. */
const SPAN = 2000n;
const LEAST = 100n;
/** How many blocks to search if nothing says where to start. */
const FAR_BACK = 5000n;

/** The refusals that an earlier success may explain. */
const DONE_BEFORE = new Set(["NonceAlreadyUsed", "TargetCallFailed"]);

/**
 * Looks for an earlier success that explains why a job was refused. Either the factory has used the job's nonce, in a
 * transaction that the job had sent before, or in one of somebody who submitted what we had signed. Or the register
 * already has the record, from a job of the member that was given up too early. Each is what was wanted. Returns
 * undefined if there is none.
 */
export async function adoptEarlierSuccess(work: Work, job: Job, { errorName }: Refused): Promise<Job | undefined> {
  if (!DONE_BEFORE.has(errorName)) return undefined;
  const receipt = errorName === "NonceAlreadyUsed" && (await findUse(work, job));
  if (receipt) return save(work, job, { ...describeReceipt(receipt), state: "mined" });
  const writer = job.kind === "execute" && (await findWriter(work, [job, ...(await listOthers(work.db, job))], job));
  if (!writer) return undefined;
  const change = { state: "finalized", completedAt: work.now(), txHash: null } as const;
  return save(work, job, change, (tx) => restoreIdentity(tx, { from: job, to: writer }));
}

async function findUse(work: Work, job: Job): Promise<TransactionReceipt | undefined> {
  const { client } = work.station;
  const sent = await findReceipt(work, job);
  if (sent?.status === "success") return sent;
  const latest = await client.getBlockNumber();
  const since = job.sinceBlock === null ? latest - FAR_BACK : BigInt(job.sinceBlock);
  for (let fromBlock = since > 0n ? since : 0n; fromBlock <= latest; fromBlock += SPAN) {
    const toBlock = fromBlock + SPAN - 1n < latest ? fromBlock + SPAN - 1n : latest;
    for (const hash of await listCandidates(work, job, { fromBlock, toBlock })) {
      const { input } = await client.getTransaction({ hash });
      if (isWanted(job, input)) return requireOwn(await client.getTransactionReceipt({ hash }), hash);
    }
  }
  return undefined;
}

type Span = { fromBlock: bigint; toBlock: bigint };

/** If a node cannot search so many blocks at once, searches each half. */
async function listCandidates(work: Work, job: Job, span: Span): Promise<Hash[]> {
  try {
    return await searchLogs(work, job, span);
  } catch (error) {
    const { fromBlock, toBlock } = span;
    if (toBlock - fromBlock < LEAST || !isTooMuch(error)) throw error;
    const middle = (fromBlock + toBlock) / 2n;
    const earlier = await listCandidates(work, job, { fromBlock, toBlock: middle });
    return [...earlier, ...(await listCandidates(work, job, { fromBlock: middle + 1n, toBlock }))];
  }
}

async function searchLogs({ station }: Work, job: Job, span: Span): Promise<Hash[]> {
  const { client, factory } = station;
  const logs =
    job.kind === "deploy"
      ? await client.getLogs({ ...span, address: factory, event: DEPLOYED })
      : await client.getLogs({
          ...span,
          // Generations differ in which of them emits it.
          address: [factory, readExecution(job).machineAddress],
          event: EXECUTED,
          args: { machineAddress: readExecution(job).machineAddress },
        });
  return logs.map(({ transactionHash }) => transactionHash);
}

const DEPLOYED = getAbiItem({ abi: factoryAbi, name: "MachineSmartAccountDeployed" });
const EXECUTED = getAbiItem({ abi: factoryAbi, name: "MachineTransactionExecuted" });

/** Whether a call of the factory is exactly the one of this job. A nonce alone may be anybody's. */
function isWanted(job: Job, input: Hex): boolean {
  const call = decode(input);
  if (job.kind === "deploy") {
    if (call?.functionName !== "deployMachineSmartAccount") return false;
    const [owner, nonce] = call.args;
    return nonce === BigInt(job.stationNonce) && owner.toLowerCase() === job.owner;
  }
  if (call?.functionName !== "executeMachineTransaction") return false;
  const [machine, , data, nonce] = call.args;
  const wanted = readExecution(job);
  return nonce === wanted.nonce && isAddressEqual(machine, wanted.machineAddress) && data === wanted.data;
}

function decode(data: Hex) {
  for (const abi of [factoryAbi, olderFactoryAbi]) {
    try {
      return decodeFunctionData({ abi, data });
    } catch {
      // It belongs to the other generation, or to another contract.
    }
  }
  return undefined;
}
