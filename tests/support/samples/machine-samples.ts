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
} from "../../../server/machine-id/contract.ts";
import { sample } from "./sample.ts";

const done = { success: true, message: "Done" };

/** A backend's answers about the Smart Account and the Machine ID. */
export const MACHINE_SAMPLES = [
  sample(readSmartIdRequirements, {
    wallet: true,
    heartbeats: false,
    requirementsMet: false,
    currentHeartbeats: 62,
    existingSmartAccount: false,
    status: "not_found",
  }),
  sample(readMachineIdStatus, { status: null }),
  sample(readMachineIdentity, {
    ...done,
    data: {
      did_name: "did:peaq:0x1",
      public_address: "0x1",
      private_relay_email: "",
      email_signature: "",
      depinpair_signature: "",
      profile_id: "0192-user",
      block_hash: "0x2",
      onboarding_tag: "",
      created_at: "2026-11-20T14:15:00.000Z",
      owner: "0x3",
    },
  }),
  sample(readSmartAccount, { ...done, smartAccount: null, status: "not_found", createdAt: null }),
  sample(readSmartAccountConsent, {
    mode: "rpc",
    typedData: {
      domain: { name: "MachineStationFactory", version: "1", chainId: 3338, verifyingContract: "0x1" },
      types: {
        DeployMachineSmartAccount: [
          { name: "machineOwner", type: "address" },
          { name: "nonce", type: "uint256" },
        ],
      },
      primaryType: "DeployMachineSmartAccount",
      message: { machineOwner: "0x2", nonce: "1795183200000" },
    },
  }),
  sample(readMachineTimeline, {
    mode: "rpc",
    steps: [
      {
        step: "queued",
        subject: "smart-account",
        at: "2026-11-20T14:15:00.000Z",
        hash: null,
        explorerUrl: null,
        note: null,
      },
    ],
  }),
  sample(requestMachineId, {
    ...done,
    data: {
      machineAddress: "0x1",
      target: "0x2",
      calldata: "0x3",
      nonce: "4",
      typedData: {
        domain: { name: "MachineSmartAccount", version: "1", chainId: 3338, verifyingContract: "0x1" },
        types: {
          Execute: [
            { name: "target", type: "address" },
            { name: "data", type: "bytes" },
            { name: "nonce", type: "uint256" },
          ],
        },
        primaryType: "Execute",
        message: { target: "0x2", data: "0x3", nonce: "4" },
      },
    },
  }),
  sample(updateMachineIdSignature, { ...done, data: { status: "pending" } }),
  sample(createSmartAccount, { ...done, status: "pending" }),
];
