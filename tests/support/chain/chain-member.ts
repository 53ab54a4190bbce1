import type { PrivateKeyAccount } from "viem/accounts";
import type { TypedData } from "../../../server/chain/contract.ts";
import { inTransaction } from "../../../server/db/transaction.ts";
import type { Deps } from "../../../server/deps.ts";
import { countBeats } from "../../../server/heartbeats/service.ts";
import {
  createSmartAccount,
  readSmartAccountConsent,
  requestMachineId,
  updateMachineIdSignature,
  type DeployTypedData,
  type ExecuteTypedData,
} from "../../../server/machine-id/contract.ts";
import { seedMember, type createTestApi } from "../api/api.ts";
import { newWallet } from "./new-wallet.ts";

type Api = ReturnType<typeof createTestApi>;
type ChainMemberSeed = { heartbeats?: number; wallet?: PrivateKeyAccount | null };

/** Adds a member with a wallet and enough heartbeats, unless told otherwise. */
export async function seedChainMember(deps: Deps, { heartbeats = 100, wallet = newWallet() }: ChainMemberSeed = {}) {
  const { token, user } = await seedMember(deps, { ...(wallet && { wallet: wallet.address }) });
  await seedBeats(deps, user.id, heartbeats);
  return { userId: user.id, token, user, wallet: wallet ?? newWallet() };
}

type Signer = { token: string; wallet: PrivateKeyAccount };
export type ChainMember = Awaited<ReturnType<typeof seedChainMember>>;

async function seedBeats({ db, env, now }: Deps, userId: string, count: number) {
  const times = Array.from({ length: count }, (_, index) => now().getTime() - (index + 1) * 900_000);
  const beats = times.map((time) => ({ userId, beatAt: new Date(time), receivedAt: now() }));
  await inTransaction(db, (tx) => countBeats(tx, beats, env));
}

/** Signs the data that the server has sent, as wallets do. */
export const signAsWallet = (wallet: PrivateKeyAccount, typedData: DeployTypedData | ExecuteTypedData) =>
  wallet.signTypedData(typedData as TypedData);

/** Reads the consent, signs it and submits it. */
export async function createAccount(api: Api, { token, wallet }: Signer) {
  const { typedData } = await api.read(readSmartAccountConsent, { token });
  const signature = await signAsWallet(wallet, typedData);
  return api.call(createSmartAccount, { token, body: { ...typedData.message, signature } });
}

/** Requests the Machine ID, signs what has to be signed and submits it. */
export async function createMachineId(api: Api, { token, wallet }: Signer) {
  const { data } = await api.read(requestMachineId, { token });
  if (!data.typedData) throw new Error("There is nothing to sign");
  const machineOwnerSignature = await signAsWallet(wallet, data.typedData);
  return api.call(updateMachineIdSignature, { token, body: { machineOwnerSignature } });
}
