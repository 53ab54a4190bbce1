import type { Address } from "viem";
import { expect, test } from "vitest";
import { keyOf } from "../../tests/support/chain/anvil.ts";
import { describeOnAnvil } from "../../tests/support/chain/describe-on-anvil.ts";
import { deployNodePass } from "../../tests/support/chain/node-pass.ts";
import { createPassTest, OTHER, OWNER, SIGNER } from "../../tests/support/chain/pass-test.ts";
import { IDENTITY_CHAIN_ID } from "../chain/contract.ts";
import { connect } from "../chain/rpc/station.ts";
import { readEnv } from "../env.ts";
import { writeTicket } from "./golden-ticket.ts";
import { openNodePass } from "./open-node-pass.ts";
import { openPassContract } from "./pass-contract.ts";

const CONTRACT: Address = "0x5FbDB2315678afecb367f032d93F642f64180aa3";

test.each([
  ["another chain", { chainId: 1, verifyingContract: CONTRACT }],
  ["another contract", { chainId: IDENTITY_CHAIN_ID, verifyingContract: OTHER.address }],
])("signs no ticket for %s, whatever domain the contract claims", async (_, claimed) => {
  const client = connect(["http://127.0.0.1:1"], { timeout: 1, retryCount: 0 });
  const own = { name: "Pass", version: "1", chainId: IDENTITY_CHAIN_ID, verifyingContract: CONTRACT };
  const asked = { holder: OWNER.address, nonce: 0n, canMint: true, signer: SIGNER.address };
  const write = (domain: typeof own) =>
    writeTicket({ ...openPassContract(client, CONTRACT), readDomain: async () => domain }, SIGNER, asked);
  expect(await write(own)).toMatchObject({ ticketState: "ready" });
  expect(await write({ ...own, ...claimed })).toEqual({ ticketState: "unavailable", goldenTicket: null });
});

describeOnAnvil("on a chain", (on) => {
  const begin = (options: Partial<Parameters<typeof createPassTest>[1]> & { address: Address }) =>
    createPassTest(on.database, { rpcUrl: on.anvil.url, ...options });

  // specification: 7.50
  test("a golden ticket mints only one pass, and only for the wallet it was signed for", async () => {
    const pass = await deployNodePass(on.anvil, { signer: SIGNER.address });
    const { clock, read } = await begin({ address: pass.address, signer: SIGNER });
    expect((await read()).minting).toEqual({
      canMint: false,
      whitelisted: false,
      ticketState: "not-eligible",
      goldenTicket: null,
    });

    await pass.whitelist(OWNER.address);
    clock.advance(31_000);
    const { minting } = await read();
    expect(minting).toMatchObject({ canMint: true, whitelisted: true, ticketState: "ready" });
    const ticket = minting?.goldenTicket?.signature as `0x${string}`;
    // The same with a key that is written without its 0x.
    const settings = { nodePassAddress: pass.address, nodePassSignerKey: keyOf(SIGNER).slice(2) };
    const env = { ...readEnv({}), chainRpcUrls: [on.anvil.url], ...settings };
    const reader = openNodePass({ env, now: clock.now });
    const sign = async () => (await reader?.readHolder(OWNER.address))?.minting?.goldenTicket?.signature;
    await expect.poll(sign).toBe(ticket);
    await pass.whitelist(OTHER.address);
    expect(await pass.mint(OTHER, 1n, ticket)).toBe(false);
    expect(await pass.mint(OWNER, 1n, ticket)).toBe(true);

    await pass.transfer(OWNER, OTHER.address, 1n);
    expect(await pass.mint(OWNER, 2n, ticket)).toBe(false);
    clock.advance(31_000);
    const next = await read();
    expect(next.holding?.nonce).toBe("1");
    expect(next.minting?.goldenTicket?.signature).not.toBe(ticket);
  });

  test("signs no ticket without the key that the contract requires", async () => {
    const pass = await deployNodePass(on.anvil, { signer: SIGNER.address });
    await pass.whitelist(OWNER.address);
    for (const signer of [undefined, OTHER]) {
      const { read } = await begin({ address: pass.address, signer });
      expect((await read()).minting).toMatchObject({ ticketState: "unavailable", goldenTicket: null });
    }
  });
});
