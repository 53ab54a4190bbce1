import * as z from "zod";
import { endpoint, GenericResult } from "../http/contract.ts";

export const SmartAccountState = z.enum(["completed", "not_found", "pending", "failed"]);
export type SmartAccountState = z.infer<typeof SmartAccountState>;

export const MachineIdState = z.enum(["waiting_for_signature", "pending", "completed"]);
export type MachineIdState = z.infer<typeof MachineIdState>;

export const SmartAccountStatus = z.object({
  success: z.boolean(),
  smartAccount: z.string().nullable(),
  message: z.string(),
  status: SmartAccountState,
  createdAt: z.string().nullable(),
});
export type SmartAccountStatus = z.infer<typeof SmartAccountStatus>;

export const MachineIdStatus = z.object({ status: MachineIdState.nullable() });
export type MachineIdStatus = z.infer<typeof MachineIdStatus>;

export const SmartIdRequirements = z.object({
  wallet: z.boolean(),
  heartbeats: z.boolean(),
  requirementsMet: z.boolean(),
  currentHeartbeats: z.number(),
  existingSmartAccount: z.boolean(),
  status: SmartAccountState,
});
export type SmartIdRequirements = z.infer<typeof SmartIdRequirements>;

export const MachineIdentityRecord = z.object({
  did_name: z.string(),
  public_address: z.string(),
  private_relay_email: z.string(),
  email_signature: z.string(),
  depinpair_signature: z.string(),
  profile_id: z.string(),
  block_hash: z.string(),
  onboarding_tag: z.string(),
  created_at: z.string(),
  owner: z.string(),
});
export type MachineIdentityRecord = z.infer<typeof MachineIdentityRecord>;

export const MachineIdentity = GenericResult.extend({ data: MachineIdentityRecord.nullable() });
export type MachineIdentity = z.infer<typeof MachineIdentity>;

const SmartAccountDeploymentRecord = z.object({
  id: z.string(),
  profile_id: z.string(),
  contract_addr: z.string(),
  /** Not a hash on any chain if the mode is `embedded`. */
  transaction_hash: z.string(),
  /** The account that sent it. */
  deployer: z.string(),
  /** The factory that deployed the account and pays for it. */
  gas_station: z.string(),
  creation_time: z.string(),
});

export const SmartAccountDeployment = GenericResult.extend({ data: SmartAccountDeploymentRecord.nullable() });
export type SmartAccountDeployment = z.infer<typeof SmartAccountDeployment>;

/** Where identities are kept: on a chain, or in the ledger that stands in for one. */
const ChainMode = z.enum(["embedded", "rpc"]).meta({ id: "ChainMode" });

const TypedDataFields = z.array(z.object({ name: z.string(), type: z.string() }));

/** The complete typed data that a wallet shows and signs (EIP-712). Numbers that may be large are decimal strings. */
const TypedData = z.object({
  domain: z.object({
    name: z.string(),
    version: z.string(),
    chainId: z.number().int(),
    verifyingContract: z.string(),
  }),
  types: z.record(z.string(), TypedDataFields),
});

export const DeployTypedData = TypedData.extend({
  primaryType: z.literal("DeployMachineSmartAccount"),
  message: z.object({ machineOwner: z.string(), nonce: z.string() }),
});
export type DeployTypedData = z.infer<typeof DeployTypedData>;

export const ExecuteTypedData = TypedData.extend({
  primaryType: z.literal("Execute"),
  message: z.object({ target: z.string(), data: z.string(), nonce: z.string() }),
});
export type ExecuteTypedData = z.infer<typeof ExecuteTypedData>;

export const SmartAccountConsent = z.object({ mode: ChainMode, typedData: DeployTypedData });
export type SmartAccountConsent = z.infer<typeof SmartAccountConsent>;

export const RequestMachineIdResult = GenericResult.extend({
  data: z.object({
    machineAddress: z.string(),
    target: z.string(),
    calldata: z.string(),
    nonce: z.string(),
    typedData: ExecuteTypedData.optional(),
  }),
});
export type RequestMachineIdResult = z.infer<typeof RequestMachineIdResult>;

export const MachineTimelineStep = z.object({
  step: z.enum(["queued", "deployed", "signed", "registered", "failed"]),
  subject: z.enum(["smart-account", "machine-id"]),
  at: z.iso.datetime(),
  hash: z.string().nullable(),
  explorerUrl: z.string().nullable(),
  note: z.string().nullable(),
});
export type MachineTimelineStep = z.infer<typeof MachineTimelineStep>;

export const MachineTimeline = z.object({ mode: ChainMode, steps: z.array(MachineTimelineStep) });
export type MachineTimeline = z.infer<typeof MachineTimeline>;

export const MachineIdSignatureInput = z.object({
  machineOwnerSignature: z.string("Signature is required").min(1, "Signature is required").max(4096),
});

export type MachineIdSignatureInput = z.infer<typeof MachineIdSignatureInput>;

export const CreateSmartAccountInput = z.object({
  machineOwner: z.string().regex(/^0x[0-9a-f]{40}$/),
  nonce: z.string().regex(/^\d{1,20}$/),
  signature: z.string("Signature is required").min(1, "Signature is required").max(4096),
});
export type CreateSmartAccountInput = z.infer<typeof CreateSmartAccountInput>;

export const readSmartIdRequirements = endpoint("GET /api/users/smart-id-requirements", {
  summary: "What the member still needs for a Smart Account",
  mayLag: true,
  response: SmartIdRequirements,
});

export const readSmartAccount = endpoint("GET /api/peaq/smart-account-exists", {
  summary: "The member's Smart Account, and the progress of its creation",
  mayLag: true,
  response: SmartAccountStatus,
});

export const readSmartAccountConsent = endpoint("GET /api/peaq/smart-account-consent", {
  summary: "What the linked wallet signs to agree to the Smart Account; its nonce holds for a few minutes",
  response: SmartAccountConsent,
  fails: ["TOO_MANY_ATTEMPTS", "REQUIREMENTS_NOT_MET", "CONFLICT"],
});

export const readSmartAccountDeployment = endpoint("GET /api/peaq/smart-account-deployment", {
  summary: "How the member's Smart Account was deployed, once it is completed",
  mayLag: true,
  response: SmartAccountDeployment,
});

export const readMachineIdStatus = endpoint("GET /api/peaq/did-status", {
  summary: "The progress of creating the Machine ID",
  mayLag: true,
  response: MachineIdStatus,
});

export const readMachineIdentity = endpoint("GET /api/peaq/machine-identity", {
  summary: "The member's Machine ID record",
  mayLag: true,
  response: MachineIdentity,
});

export const readMachineTimeline = endpoint("GET /api/peaq/timeline", {
  summary: "What has happened to the member's Smart Account and Machine ID, oldest first",
  mayLag: true,
  response: MachineTimeline,
});

export const requestMachineId = endpoint("POST /api/peaq/request-did", {
  summary: "Begin a Machine ID: returns what the owner signs, the same until it is signed",
  response: RequestMachineIdResult,
  fails: ["TOO_MANY_ATTEMPTS", "REQUIREMENTS_NOT_MET", "CONFLICT"],
});

export const updateMachineIdSignature = endpoint("POST /api/peaq/update-did-signature", {
  summary: "Hand in the owner's signature for the Machine ID",
  body: MachineIdSignatureInput,
  response: GenericResult.extend({ data: z.object({ status: MachineIdState }) }),
  fails: ["TOO_MANY_ATTEMPTS", "BAD_SIGNATURE", "REQUIREMENTS_NOT_MET", "CONFLICT"],
});

export const createSmartAccount = endpoint("POST /api/peaq/create-smart-account", {
  summary: "Queue the deployment of a Smart Account",
  body: CreateSmartAccountInput,
  response: GenericResult.extend({
    status: z.string().optional(),
    error: z.string().optional(),
    statusCode: z.number().optional(),
  }),
  fails: ["TOO_MANY_ATTEMPTS", "BAD_SIGNATURE", "REQUIREMENTS_NOT_MET", "CONFLICT", "EXPIRED"],
});
