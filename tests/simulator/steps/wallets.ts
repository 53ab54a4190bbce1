import { createHash } from "node:crypto";
import { privateKeyToAccount } from "viem/accounts";
import {
  createSmartAccount,
  readSmartAccountConsent,
  requestMachineId,
  updateMachineIdSignature,
  type RequestMachineIdResult,
  type SmartAccountConsent,
} from "../../../server/machine-id/contract.ts";
import { changeWallet, linkWallet, readWalletMessage, type WalletMessage } from "../../../server/wallet/contract.ts";
import { signAsWallet } from "../../support/chain/chain-member.ts";
import { callApi } from "../call-api.ts";
import { Broken, pickMember, present } from "../model.ts";
import type { Random } from "../random.ts";
import type { World } from "../world.ts";
import { openSession } from "./sign-in.ts";
import { NOBODY, type Step } from "./step.ts";

/** Linked once, and changed once. */
const MOST_WRITES = 2;

/** Returns one of a few wallets, so that members ask for the same one. */
const walletOf = (nth: number) =>
  privateKeyToAccount(`0x${createHash("sha256").update(`wallet ${nth}`).digest("hex")}`);

async function chooseWallet(world: World, random: Random): Promise<string> {
  const member = pickMember(world.model, random);
  const session = member && (await openSession(world, random, member));
  if (!member || !session) return NOBODY;
  const nth = random.below(20);
  const wallet = walletOf(nth);
  const purpose = member.wallets.length > 0 ? "change" : "link";
  const { token } = session;
  const asked = await callApi<WalletMessage>(world, random, readWalletMessage, {
    token,
    query: { address: wallet.address, purpose, origin: "http://nodebeat.test" },
  });
  if (asked.kind !== "done") return `${member.name} asks for a message: ${asked.code}`;
  const { message } = asked.body;
  const signature = await wallet.signMessage({ message });
  const body = { address: wallet.address, message, signature };
  const answer = await callApi(world, random, purpose === "link" ? linkWallet : changeWallet, { token, body });
  if (answer.kind === "done") {
    member.walletWrites += 1;
    if (member.walletWrites > MOST_WRITES) throw new Broken(`${member.name} has changed the wallet more than once`);
  }
  if (answer.kind !== "refused") member.wallets.push(nth);
  return `${member.name}, ${purpose}: ${answer.code}`;
}

async function createMachine(world: World, random: Random): Promise<string> {
  const member = random.pick(present(world.model).filter(({ wallets }) => wallets.length > 0));
  const session = member && (await openSession(world, random, member));
  const nth = member?.wallets.at(-1);
  if (!member || !session || nth === undefined) return NOBODY;
  const { token } = session;
  const isIdentity = random.chance(0.5);
  if (isIdentity) return createIdentity(world, random, { name: member.name, token, nth });
  const consent = await callApi<SmartAccountConsent>(world, random, readSmartAccountConsent, { token });
  if (consent.kind !== "done") return `${member.name} asks for an account: ${consent.code}`;
  const { typedData } = consent.body;
  const signature = await signAsWallet(walletOf(nth), typedData);
  const answer = await callApi(world, random, createSmartAccount, { token, body: { ...typedData.message, signature } });
  return `${member.name}, an account: ${answer.code}`;
}

type Owner = { name: string; token: string; nth: number };

async function createIdentity(world: World, random: Random, { name, nth, token }: Owner): Promise<string> {
  const asked = await callApi<RequestMachineIdResult>(world, random, requestMachineId, { token });
  const typedData = asked.kind === "done" ? asked.body.data.typedData : undefined;
  if (!typedData) return `${name} asks for a Machine ID: ${asked.code}`;
  const machineOwnerSignature = await signAsWallet(walletOf(nth), typedData);
  const body = { machineOwnerSignature };
  const answer = await callApi(world, random, updateMachineIdSignature, { token, body });
  return `${name}, a Machine ID: ${answer.code}`;
}

export const WALLETS: Step[] = [
  { name: "link or change a wallet", weight: 7, together: true, run: chooseWallet },
  { name: "create an account or a Machine ID", weight: 6, together: true, run: createMachine },
];
