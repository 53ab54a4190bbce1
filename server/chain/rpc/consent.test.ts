import { expect, test } from "vitest";
import { accountAt } from "../../../tests/support/chain/anvil.ts";
import { MACHINE } from "../../../tests/support/chain/scripted-node.ts";
import {
  createScriptedStation,
  EXECUTION,
  openScriptedNode,
  OWNER,
} from "../../../tests/support/chain/scripted-station.ts";
import { ledgerAccounts } from "../../db/schema.ts";
import type { Job } from "../chain-gateway.ts";
import { describeDeploy, describeExecute, type TypedData } from "../contract.ts";
import { digestOf } from "../typed-data.ts";

/* Before the station signs anything, it looks once more whether the owner has agreed to it here. */

const { database, node } = await openScriptedNode();
const { begin, chain, clock } = createScriptedStation(database, node);
await chain.check();
const domains = await chain.describeDomains();

const LEDGER = "0x6e6f6465626561742d656d6265646465642d3031";

async function consentTo(typedData: TypedData, signer = accountAt(4)): Promise<Partial<Job>> {
  return { consentDigest: digestOf(typedData), consentSignature: await signer.signTypedData(typedData) };
}

const message = { machineOwner: OWNER, nonce: "7" };
const call = { target: EXECUTION.target, data: EXECUTION.calldata, nonce: "7" };

test.each<[string, () => Promise<Partial<Job>>]>([
  [
    "an account on the embedded ledger",
    () => consentTo(describeDeploy({ ...domains.factory, verifyingContract: LEDGER }, message)),
  ],
  ["an account that somebody else agreed to", () => consentTo(describeDeploy(domains.factory, message), accountAt(5))],
  [
    "a record of another account",
    async () => ({ ...EXECUTION, ...(await consentTo(describeExecute(await domains.account(OWNER), call))) }),
  ],
  [
    "a record of an account that is only on the embedded ledger",
    async () => {
      const account = { address: MACHINE.toLowerCase(), factory: LEDGER, owner: OWNER.toLowerCase(), nonce: "1" };
      await database.db.insert(ledgerAccounts).values({ ...account, createdAt: clock.now() });
      return { ...EXECUTION, ...(await consentTo(describeExecute(await domains.account(MACHINE), call))) };
    },
  ],
])("leaves a queued job alone that is for %s, and signs nothing", async (_, make) => {
  const job = await begin({ consentNonce: "7", ...(await make()) });
  const before = await job.read();
  await expect(job.work()).rejects.toThrow("the chain could not be asked (queued)");
  expect(await job.read()).toEqual(before);
  expect([node.listRequests("eth_estimateGas"), node.listRequests("eth_sendRawTransaction")]).toEqual([[], []]);
});
