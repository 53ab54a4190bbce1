import { randomBytes } from "node:crypto";
import {
  bytesToHex,
  encodeFunctionData,
  getAddress,
  isAddressEqual,
  recoverMessageAddress,
  recoverTypedDataAddress,
  stringToHex,
  type Address,
  type Hex,
  type TypedDataDefinition,
} from "viem";
import { identityAbi } from "../../../server/chain/abi.ts";
import { IDENTITY_PRECOMPILE } from "../../../server/chain/contract.ts";
import type {
  CreateSmartAccountInput,
  MachineIdentity,
  SmartAccountStatus,
} from "../../../server/machine-id/contract.ts";
import type { SmartIdRequirements } from "../../../server/machine-id/contract.ts";
import type { WalletSignatureInput } from "../../../server/wallet/contract.ts";
import { Refusal, type Member, type Members } from "./members.ts";

/* What the specified calls do with a wallet: they check its signatures, and allow each action once. */

/** The factory on the chain that this stands in for. */
export const FACTORY: Address = "0x00000000000000000000000000000000facade01";
const VERSION = "1";
const HEARTBEATS_REQUIRED = 100;
const NONCE_WINDOW_MS = 5 * 60 * 1000;

/** What the signed text must contain (product specification, section 7). */
const MESSAGE_PATTERNS = {
  link: /permanently links .*wallet .*account .*can be done only once/is,
  change: /change can be done only once/i,
};

async function checkMessage(
  purpose: keyof typeof MESSAGE_PATTERNS,
  { address, message, signature }: WalletSignatureInput,
) {
  if (!MESSAGE_PATTERNS[purpose].test(message))
    throw new Refusal(400, "BAD_MESSAGE", "That is not what has to be signed.");
  const signer = await recoverMessageAddress({ message, signature: asHex(signature) }).catch(refuseSignature);
  if (!isAddressEqual(signer, asHex(address))) refuseSignature();
}

async function checkTypedData(owner: string | null, signature: string, typedData: TypedDataDefinition) {
  const signer = await recoverTypedDataAddress({ ...typedData, signature: asHex(signature) }).catch(refuseSignature);
  if (!owner || !isAddressEqual(signer, asHex(owner))) refuseSignature();
}

function refuseSignature(): never {
  throw new Refusal(400, "BAD_SIGNATURE", "The signature is not from this wallet.");
}

const asHex = (text: string) => text as Hex;

export async function linkWallet(members: Members, member: Member, input: WalletSignatureInput): Promise<void> {
  await checkMessage("link", input);
  if (member.wallet) throw new Refusal(409, "CONFLICT", "A wallet is linked already.");
  if (members.owns(input.address)) throw new Refusal(409, "CONFLICT", "This wallet is linked to another account.");
  member.wallet = input.address;
}

/** Returns a payload if the wallet can be changed. Throws an error with a message if it cannot. */
export function checkEligibility({ account, hasChangedWallet, wallet }: Member): { changesLeft: number } {
  if (!wallet) throw new Refusal(409, "CONFLICT", "No wallet is linked yet.");
  if (hasChangedWallet) throw new Refusal(409, "CONFLICT", "The wallet was changed already.");
  if (account) throw new Refusal(409, "CONFLICT", "The wallet owns a Smart Account.");
  return { changesLeft: 1 };
}

export async function changeWallet(members: Members, member: Member, input: WalletSignatureInput): Promise<void> {
  await checkMessage("change", input);
  checkEligibility(member);
  if (members.owns(input.address)) throw new Refusal(409, "CONFLICT", "This wallet is linked already.");
  Object.assign(member, { wallet: input.address, hasChangedWallet: true });
}

export function describeRequirements({ account, heartbeats, wallet }: Member): SmartIdRequirements {
  const isActive = heartbeats >= HEARTBEATS_REQUIRED;
  return {
    wallet: wallet !== null,
    heartbeats: isActive,
    requirementsMet: wallet !== null && isActive,
    currentHeartbeats: heartbeats,
    existingSmartAccount: account !== null,
    status: account?.status ?? "not_found",
  };
}

export const describeAccount = ({ account }: Member): SmartAccountStatus => ({
  success: true,
  smartAccount: account?.status === "completed" ? account.address : null,
  message: "",
  status: account?.status ?? "not_found",
  createdAt: account?.createdAt ?? null,
});

export async function createAccount(member: Member, input: CreateSmartAccountInput): Promise<void> {
  const { machineOwner, nonce, signature } = input;
  if (machineOwner !== member.wallet?.toLowerCase())
    throw new Refusal(400, "BAD_OWNER", "The owner is not the wallet.");
  if (!describeRequirements(member).requirementsMet) throw new Refusal(422, "NOT_MET", "Something is missing yet.");
  if (member.account) throw new Refusal(409, "CONFLICT", "There is a Smart Account already.");
  if (Math.abs(Number(nonce) - Date.now()) > NONCE_WINDOW_MS)
    throw new Refusal(400, "EXPIRED", "The nonce is too old.");
  await checkTypedData(machineOwner, signature, {
    domain: { name: "MachineStationFactory", version: VERSION, chainId: 3338, verifyingContract: FACTORY },
    types: {
      DeployMachineSmartAccount: [
        { name: "machineOwner", type: "address" },
        { name: "nonce", type: "uint256" },
      ],
    },
    primaryType: "DeployMachineSmartAccount",
    message: { machineOwner, nonce: BigInt(nonce) },
  });
  const address = bytesToHex(randomBytes(20));
  member.account = { address, owner: machineOwner, status: "pending", createdAt: new Date().toISOString() };
}

/** Returns what the owner has to sign: the same until it is signed. */
export function requestIdentity(member: Member) {
  if (member.account?.status !== "completed") throw new Refusal(422, "NOT_MET", "There is no Smart Account yet.");
  member.identity ??= {
    status: "waiting_for_signature",
    request: {
      machineAddress: member.account.address,
      target: IDENTITY_PRECOMPILE,
      calldata: describeRecord(member.account.address),
      nonce: BigInt(bytesToHex(randomBytes(32))).toString(),
    },
    signature: "",
  };
  return member.identity.request;
}

const describeRecord = (account: string) =>
  encodeFunctionData({
    abi: identityAbi,
    functionName: "addAttribute",
    args: [getAddress(account), stringToHex(`did:peaq:${account}`), bytesToHex(randomBytes(68)), 0],
  });

export async function signIdentity({ identity, wallet }: Member, signature: string) {
  if (identity?.status !== "waiting_for_signature") throw new Refusal(409, "CONFLICT", "There is nothing to sign.");
  const { calldata, machineAddress, nonce, target } = identity.request;
  await checkTypedData(wallet, signature, {
    domain: { name: "MachineSmartAccount", version: VERSION, chainId: 3338, verifyingContract: machineAddress },
    types: {
      Execute: [
        { name: "target", type: "address" },
        { name: "data", type: "bytes" },
        { name: "nonce", type: "uint256" },
      ],
    },
    primaryType: "Execute",
    message: { target, data: calldata, nonce: BigInt(nonce) },
  });
  Object.assign(identity, { status: "pending", signature });
  return { status: "pending" };
}

export function describeIdentity({ account, id, identity }: Member): MachineIdentity {
  if (!account || identity?.status !== "completed") return { success: true, message: "", data: null };
  const data = {
    did_name: `did:peaq:${account.address}`,
    public_address: account.address,
    private_relay_email: "",
    email_signature: "",
    depinpair_signature: identity.signature,
    profile_id: id,
    block_hash: "",
    onboarding_tag: "",
    created_at: account.createdAt,
    owner: account.owner,
  };
  return { success: true, message: "", data };
}
