import type * as z from "zod";
import {
  createSmartAccount,
  readMachineIdentity,
  readMachineIdStatus,
  readMachineTimeline,
  readSmartAccount,
  readSmartAccountConsent,
  readSmartIdRequirements,
  requestMachineId,
  updateMachineIdSignature,
  type CreateSmartAccountInput,
  type RequestMachineIdResult,
  type SmartAccountConsent,
} from "../../server/machine-id/contract.ts";
import { ApiError } from "../api/api-error.ts";
import type { Caller, OptionalCaller } from "../api/call.ts";
import { utcTime } from "./loose-responses.ts";
import { readMember } from "./member.ts";
import { ContractAddress, IdentityRequest, writeDeploy, writeExecute, type IdentityContracts } from "./typed-data.ts";
import { WRITE_RETRIES } from "./write-retries.ts";

const TO_CREATE = { signedOutMessage: "You must be logged in to create a Machine ID", bringsRefusal: true };

/** Creates the calls about the Smart Account and the Machine ID that follows from it. */
export function createMachineIdClient(call: Caller, callIfOffered: OptionalCaller, contracts: IdentityContracts) {
  return {
    requirements: () => call(readSmartIdRequirements, {}),
    smartAccount: async () => utcTime.one(await call(readSmartAccount, {}), "createdAt"),
    status: () => call(readMachineIdStatus, {}),
    async identity() {
      const { data, ...answer } = await call(readMachineIdentity, {});
      return { ...answer, data: data && utcTime.one(data, "created_at") };
    },
    timeline: () => callIfOffered(readMachineTimeline, {}),
    /** Returns what the linked wallet signs before `createSmartAccount`. Its nonce is valid for a few minutes. */
    smartAccountConsent: async () =>
      (await callIfOffered(readSmartAccountConsent, {}, TO_CREATE)) ?? (await writeConsent(call, contracts)),
    createSmartAccount: (input: z.input<typeof CreateSmartAccountInput>) =>
      call(
        createSmartAccount,
        { body: input },
        { ...TO_CREATE, retries: WRITE_RETRIES.default, findOutcome: () => findAccount(call) },
      ),
    /** Returns what the owner signs, complete, even from a backend that leaves that to its clients. */
    async request() {
      const rules = { ...TO_CREATE, retries: WRITE_RETRIES.requestMachineId };
      const answer = await call(requestMachineId, {}, rules);
      return answer.success ? complete(answer, contracts) : answer;
    },
    updateSignature: (machineOwnerSignature: string) =>
      call(
        updateMachineIdSignature,
        { body: { machineOwnerSignature } },
        {
          ...TO_CREATE,
          retries: WRITE_RETRIES.updateMachineIdSignature,
          findOutcome: () => findIdentity(call),
        },
      ),
  };
}

/** Returns the outcome if the Smart Account is there by now, or on its way. Otherwise null. */
async function findAccount(call: Caller) {
  const { message, status } = await call(readSmartAccount, {});
  return status === "pending" || status === "completed" ? { success: true, message, status } : null;
}

/** Returns the outcome if the Machine ID is signed by now. Otherwise null. */
async function findIdentity(call: Caller) {
  const { status } = await call(readMachineIdStatus, {});
  if (status !== "pending" && status !== "completed") return null;
  return { success: true, message: "Machine ID creation in progress", data: { status } };
}

/** Writes the consent as the specification describes it, for the wallet that the backend knows to be linked. */
async function writeConsent(call: Caller, { factory, version }: IdentityContracts): Promise<SmartAccountConsent> {
  const { wallet } = await readMember(call, TO_CREATE.signedOutMessage);
  if (!wallet) throw new ApiError("Link a wallet first.", "REQUIREMENTS_NOT_MET", 422, { fromServer: true });
  const { data: address } = ContractAddress.safeParse(factory);
  if (!address) {
    const cause = new Error("CHAIN_FACTORY_ADDRESS is no address, and the backend does not tell it");
    throw new ApiError("Service Unavailable", "UNAVAILABLE", 503, { cause });
  }
  return { mode: "rpc", typedData: writeDeploy(address, version, wallet) };
}

function complete(answer: RequestMachineIdResult, { version }: IdentityContracts): RequestMachineIdResult {
  // An answer that breaks its contract is passed on as it is, because it holds nothing to sign.
  const { data } = IdentityRequest.safeParse(answer.data);
  if (!data || answer.data.typedData) return answer;
  return { ...answer, data: { ...data, typedData: writeExecute(data, version) } };
}
