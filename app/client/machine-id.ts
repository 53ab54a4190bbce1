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
} from "../../server/machine-id/contract.ts";
import type { Caller } from "../api/call.ts";
import { WRITE_RETRIES } from "./write-retries.ts";

const TO_CREATE = { signedOutMessage: "You must be logged in to create a Machine ID" };

/** The Smart Account and the Machine ID that follows from it. */
export function createMachineIdClient(call: Caller) {
  return {
    requirements: () => call(readSmartIdRequirements, {}),
    smartAccount: () => call(readSmartAccount, {}),
    status: () => call(readMachineIdStatus, {}),
    identity: () => call(readMachineIdentity, {}),
    timeline: () => call(readMachineTimeline, {}),
    /** What the linked wallet signs before `createSmartAccount`; its nonce holds for a few minutes. */
    smartAccountConsent: () => call(readSmartAccountConsent, {}, TO_CREATE),
    createSmartAccount: (input: z.input<typeof CreateSmartAccountInput>) =>
      call(createSmartAccount, { body: input }, { ...TO_CREATE, retries: WRITE_RETRIES.default }),
    request: () => call(requestMachineId, {}, { ...TO_CREATE, retries: WRITE_RETRIES.requestMachineId }),
    updateSignature: (machineOwnerSignature: string) =>
      call(
        updateMachineIdSignature,
        { body: { machineOwnerSignature } },
        {
          ...TO_CREATE,
          retries: WRITE_RETRIES.updateMachineIdSignature,
        },
      ),
  };
}
