import type { Address, HDAccount } from "viem";
import { readNodePass, readNodePassToken } from "../../../server/node-pass/contract.ts";
import { createNodePassReader, type PassTiming } from "../../../server/node-pass/node-pass-reader.ts";
import { createTestApi, createTestClock, seedMember } from "../api/api.ts";
import type { TestDatabase } from "../database/test-database.ts";
import { accountAt, keyOf } from "./anvil.ts";

/** The member's wallet, another one, and the signer whose tickets a pass accepts. */
export const OWNER = accountAt(5);
export const OTHER = accountAt(6);
export const SIGNER = accountAt(7);

type Options = {
  address: Address;
  rpcUrl: string;
  gateways?: string[];
  signer?: HDAccount | undefined;
  timing?: Partial<PassTiming>;
};

/** Creates an API with a node pass, on an empty database, and a member who has linked the owner's wallet. */
export async function createPassTest(database: TestDatabase, options: Options) {
  const { address, gateways = [], rpcUrl, signer, timing } = options;
  const clock = createTestClock();
  const nodePass = createNodePassReader({
    rpcUrls: [rpcUrl],
    address,
    gateways,
    now: clock.now,
    // Tests that are not about waiting wait as long as a busy machine takes.
    timing: { retries: 0, request: 60_000, timeout: 60_000, gatewayTimeout: 60_000, ...timing },
    signerKey: signer && keyOf(signer),
  });
  await database.reset();
  const api = createTestApi(database, { nodePass, now: clock.now });
  const { token } = await seedMember(api.deps, { wallet: OWNER.address });
  return {
    api,
    clock,
    /** Returns the pass that the member sees. */
    read: () => api.read(readNodePass, { token }),
    /** Makes the same call, which may fail. */
    readPass: () => api.call(readNodePass, { token }),
    readToken: (tokenId: string) => api.call(readNodePassToken, { token, params: { tokenId } }),
  };
}
