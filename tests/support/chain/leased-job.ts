import { eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { uuidv7 } from "uuidv7";
import { getAddress, hexToBigInt, isHex, keccak256, toHex, type Address } from "viem";
import type { ChainGateway, Job } from "../../../server/chain/chain-gateway.ts";
import { describeDeploy, describeExecute, IDENTITY_CHAIN_ID } from "../../../server/chain/contract.ts";
import { CHAIN } from "../../../server/chain/submit.ts";
import { digestOf } from "../../../server/chain/typed-data.ts";
import { backgroundJobs, chainJobs } from "../../../server/db/schema.ts";
import type { Deps } from "../../../server/deps.ts";
import { seedMember } from "../api/api.ts";
import { accountAt } from "./anvil.ts";

/** Adds a job as an earlier process left it, with its owner's consent, and gives this process the lease. */
export async function beginJob(deps: Deps, left: Partial<Job>) {
  const { chain, db, now } = deps;
  const { user } = await seedMember(deps);
  const id = uuidv7();
  const job = { kind: "deploy", state: "queued", stationNonce: "7", createdAt: now() } as const;
  const owner = accountAt(4).address.toLowerCase();
  const consentNonce = hexToBigInt(keccak256(toHex(id))).toString();
  const asked = { id, userId: user.id, owner, consentNonce, ...job, ...left };
  await db.insert(chainJobs).values({ ...(await consentTo(chain, asked)), ...asked });
  const lease = { kind: CHAIN, key: id, lease: randomUUID() };
  await db.insert(backgroundJobs).values({ ...lease, dueAt: now() });
  return {
    id,
    userId: user.id,
    lease,
    /** Takes the job as far as it goes. */
    work: () => chain.work({ ...lease, payload: null, attempts: 1 }),
    async read(): Promise<Job> {
      const [found] = await db.select().from(chainJobs).where(eq(chainJobs.id, id));
      if (!found) throw new Error("The job is gone");
      return found;
    },
    /** Deletes the job, as if its member had left. */
    remove: () => db.delete(chainJobs).where(eq(chainJobs.id, id)),
    /** Lets another process take over the job. */
    lose: () => db.update(backgroundJobs).set({ lease: randomUUID() }).where(eq(backgroundJobs.key, id)),
  };
}

type Asked = Pick<Job, "id" | "kind" | "owner" | "consentNonce"> & Partial<Job>;

/** Signs what a job is about as its owner. A job that says too little gets a digest that is nobody's. */
async function consentTo(chain: ChainGateway, { id, ...job }: Asked) {
  const typedData = describe(chain.station.factory, job);
  if (!typedData) return { consentDigest: keccak256(toHex(id)), consentSignature: "0x00" };
  return { consentDigest: digestOf(typedData), consentSignature: await accountAt(4).signTypedData(typedData) };
}

function describe(factory: Address, { kind, owner, consentNonce: nonce, ...call }: Omit<Asked, "id">) {
  const domain = { version: "1", chainId: IDENTITY_CHAIN_ID };
  if (kind === "deploy") {
    const ofFactory = { name: "MachineStationFactory", ...domain, verifyingContract: factory };
    return describeDeploy(ofFactory, { machineOwner: getAddress(owner), nonce });
  }
  const { calldata: data, machineAddress, target } = call;
  if (!machineAddress || !target || !isHex(data)) return undefined;
  const ofAccount = { name: "MachineSmartAccount", ...domain, verifyingContract: getAddress(machineAddress) };
  return describeExecute(ofAccount, { target, data, nonce });
}
