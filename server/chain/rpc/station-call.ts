import { encodeFunctionData, getAddress, isHex, type Hex } from "viem";
import { estimateGas, simulateContract } from "viem/actions";
import { factoryAbi, olderFactoryAbi } from "../abi.ts";
import type { Job } from "../chain-gateway.ts";
import { describeDeploy } from "../contract.ts";
import type { Factory } from "./boot-check.ts";
import { findRevert, foundNothing, Refused } from "./rpc-errors.ts";
import type { Station } from "./station.ts";

/** A job's call of the factory, with the signature of the station's admin. */
type StationCall = { data: Hex; simulate: (blockNumber?: bigint) => Promise<void> };

/** We set no amount: the factory refunds what it is configured to. */
const DEFAULT_REFUND = 0n;

/** Builds a job's call of the factory, signed by the admin. Rejects if the job lacks data. */
export function describeCall(station: Station, factory: Factory, job: Job): Promise<StationCall> {
  return job.kind === "deploy" ? describeDeployment(station, factory, job) : describeExecution(station, factory, job);
}

async function describeDeployment(station: Station, { domain }: Factory, job: Job): Promise<StationCall> {
  const [machineOwner, nonce] = [getAddress(job.owner), BigInt(job.stationNonce)];
  // The same as the owner signs, except for the nonce.
  const typedData = describeDeploy(domain, { machineOwner, nonce: job.stationNonce });
  const signature = await station.admin.signTypedData(typedData);
  const call = {
    abi: factoryAbi,
    functionName: "deployMachineSmartAccount",
    args: [machineOwner, nonce, signature],
  } as const;
  return toCall(station, encodeFunctionData(call), (from) => simulateContract(station.client, { ...from, ...call }));
}

async function describeExecution(station: Station, { domain, takesRefund }: Factory, job: Job): Promise<StationCall> {
  const { data, machineAddress, nonce, ownerSignature, target } = readExecution(job);
  const fields = [
    { name: "machineAddress", type: "address" },
    { name: "target", type: "address" },
    { name: "data", type: "bytes" },
    { name: "nonce", type: "uint256" },
    ...(takesRefund ? [{ name: "refundAmount", type: "uint256" }] : []),
  ];
  // A loose type, because the fields differ between generations.
  const types: Record<string, typeof fields> = { ExecuteMachineTransaction: fields };
  const message = { machineAddress, target, data, nonce, ...(takesRefund && { refundAmount: DEFAULT_REFUND }) };
  const primaryType = "ExecuteMachineTransaction";
  const signature = await station.admin.signTypedData({ domain, types, primaryType, message });
  const functionName = "executeMachineTransaction";
  if (!takesRefund) {
    const args = [machineAddress, target, data, nonce, signature, ownerSignature] as const;
    const call = { abi: olderFactoryAbi, functionName, args } as const;
    return toCall(station, encodeFunctionData(call), (from) => simulateContract(station.client, { ...from, ...call }));
  }
  const args = [machineAddress, target, data, nonce, DEFAULT_REFUND, signature, ownerSignature] as const;
  const call = { abi: factoryAbi, functionName, args } as const;
  return toCall(station, encodeFunctionData(call), (from) => simulateContract(station.client, { ...from, ...call }));
}

/** Returns what an `execute` job is about, in the contracts' types. Throws if the job lacks data. */
export function readExecution({ calldata, consentSignature, machineAddress, stationNonce, target }: Job) {
  if (!machineAddress || !target || !isHex(calldata) || !isHex(consentSignature)) {
    throw new Error("A job to execute says too little");
  }
  return {
    machineAddress: getAddress(machineAddress),
    target: getAddress(target),
    data: calldata,
    nonce: BigInt(stationNonce),
    ownerSignature: consentSignature,
  };
}

type From = { address: Hex; account: Station["manager"]; blockNumber?: bigint };

function toCall({ factory, manager }: Station, data: Hex, run: (from: From) => Promise<unknown>): StationCall {
  return {
    data,
    /** Throws Refused with the contract's own error. Passes other errors on. */
    async simulate(blockNumber) {
      const from = { address: factory, account: manager, ...(blockNumber !== undefined && { blockNumber }) };
      await run(from).catch((error: unknown) => {
        // If the node finds nothing, that is not the contract's error: the factory was there at the start.
        const errorName = foundNothing(error) ? undefined : findRevert(error);
        throw errorName ? new Refused(errorName, { cause: error }) : error;
      });
    },
  };
}

/** Estimates the gas, with room for changes until the call is mined. */
export async function estimateCall({ client, factory, manager }: Station, { data }: StationCall): Promise<bigint> {
  const gas = await estimateGas(client, { account: manager, to: factory, data, prepare: false });
  return (gas * 13n) / 10n;
}
