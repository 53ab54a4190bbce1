import { keccak256, numberToHex, type Hex } from "viem";
import { openDatabase } from "../../server/db/client.ts";
import {
  createSmartAccount,
  readSmartAccount,
  readSmartAccountConsent,
  type SmartAccountStatus,
} from "../../server/machine-id/contract.ts";
import { createTestDeps, SILENT } from "../support/api/api.ts";
import { accountAt, keyOf } from "../support/chain/anvil.ts";
import { seedChainMember, signAsWallet } from "../support/chain/chain-member.ts";
import { newWallet } from "../support/chain/new-wallet.ts";
import { deployedLog, FACTORY, MACHINE, receiptOf, startScriptedNode } from "../support/chain/scripted-node.ts";
import { sendRequest } from "./send-request.ts";
import type { Fault } from "./fault.ts";
import { inSeconds, runOutage } from "./outage.ts";
import type { Stage } from "./stage.ts";
import { until } from "./until.ts";

const STRANGER = "0xdead000000000000000000000000000000000001";
const STOLEN = "0xdead000000000000000000000000000000000002";

/** Adds a member who meets the requirements, and requests a Smart Account. Resolves to the member's token. */
async function beginAccount(stage: Stage): Promise<string> {
  const database = await openDatabase({ databaseUrl: stage.databaseUrl(), dataDir: "", log: SILENT });
  const wallet = newWallet();
  const { token } = await seedChainMember(createTestDeps(database), { wallet });
  await database.close();
  const consent = await sendRequest(stage.url, { path: readSmartAccountConsent.path, token });
  const { typedData } = JSON.parse(consent.text);
  const signature = await signAsWallet(wallet, typedData);
  const { method, path } = createSmartAccount;
  const { status, text } = await sendRequest(stage.url, {
    method,
    path,
    token,
    body: { ...typedData.message, signature },
  });
  if (status !== 200) throw new Error(`A Smart Account could not be asked for: ${status} ${text}`);
  return token;
}

const readStatus = async (stage: Stage, token: string): Promise<SmartAccountStatus> =>
  JSON.parse((await sendRequest(stage.url, { path: readSmartAccount.path, token })).text);

export const chain: Fault = {
  name: "rpc-lies",
  title: "The chain's node lies: blocks go back, receipts have foreign events, another network, no JSON",
  finds: /until it told the truth/,
  planted: {
    file: "server/chain/rpc/confirm.ts",
    from: "const ours = logs.filter(({ address }) => isAddressEqual(address, station.factory));",
    to: "const ours = logs;",
  },
  async run(report, options) {
    const node = await startScriptedNode();
    let token = "";
    const seen = new Set<string>();
    let mined: Hex | undefined;
    node.answers.eth_sendRawTransaction = (raw: Hex) => (mined = keccak256(raw));
    let looks = 0;
    /** Tells one lie after the other, each for a while only: a lie that never ended would be the truth. */
    function lie() {
      node.answers.eth_blockNumber = () => numberToHex(looks % 2 === 0 ? 5000 : 900);
      node.answers.eth_chainId = () => numberToHex(looks % 3 === 0 ? 1 : 3338);
      node.answers.eth_getTransactionReceipt = (hash: Hex) => {
        looks += 1;
        if (looks % 4 === 0) return "no receipt";
        if (looks > 6) return null;
        return receiptOf({ hash, block: 1000, logs: [deployedLog(STRANGER, STOLEN)] });
      };
    }
    function tellTruth() {
      node.answers.eth_blockNumber = () => numberToHex(5000);
      node.answers.eth_chainId = () => numberToHex(3338);
      node.answers.eth_getTransactionCount = () => "0x6";
      node.answers.eth_getTransactionReceipt = (hash: Hex) =>
        hash === mined ? receiptOf({ hash, block: 1000, logs: [deployedLog(FACTORY, MACHINE)] }) : null;
    }
    const settings = {
      CHAIN_RPC_URLS: node.url,
      CHAIN_FACTORY_ADDRESS: FACTORY,
      CHAIN_ADMIN_KEY: keyOf(accountAt(1)),
      CHAIN_MANAGER_KEY: keyOf(accountAt(2)),
    };
    let watching: NodeJS.Timeout | undefined;
    try {
      await runOutage(
        report,
        { ...options, times: 1 },
        {
          stage: { settings },
          async begin(stage) {
            lie();
            token = await beginAccount(stage);
            watching = setInterval(() => {
              void readStatus(stage, token).then(
                ({ smartAccount, status }) => seen.add(`${status} ${smartAccount}`),
                () => {},
              );
            }, 200);
          },
          end() {
            clearInterval(watching);
            report.expect(`${looks} receipts were asked for while it lied`, looks > 0);
            report.expect(`until it told the truth: ${[...seen].join(", ")}`, [...seen].join() === "pending null");
            tellTruth();
          },
          seconds: 20,
          recovery: 3,
          async after(stage) {
            const isRight = async () => (await readStatus(stage, token)).smartAccount === MACHINE.toLowerCase();
            const took = await until(isRight, 60);
            const { smartAccount, status } = await readStatus(stage, token);
            report.expect(
              `the account is the one that is on the chain, ${inSeconds(took)} later (${status} ${smartAccount})`,
              took < Infinity,
            );
          },
        },
      );
    } finally {
      clearInterval(watching);
      await node.stop();
    }
  },
};
