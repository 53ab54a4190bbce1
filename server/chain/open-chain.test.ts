import { getAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, expect, test } from "vitest";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { openChain } from "./open-chain.ts";

const database = await createTestDatabase();
const { deps } = createTestApi(database);
afterAll(() => database.close());

const KEY = "1".repeat(64);
const configured = {
  chainAdminKey: `0x${KEY}`,
  chainFactoryAddress: `0x${"ab".repeat(20)}`,
  chainManagerKey: KEY,
  chainRpcUrls: ["http://127.0.0.1:1"],
};

const open = (settings: Partial<typeof configured>) =>
  openChain({ ...deps, env: { ...deps.env, ...settings }, secrets: ["secret"] });

test("uses the chain only if it is completely configured, and the embedded ledger otherwise", () => {
  expect(open(configured).mode).toBe("rpc");
  expect(open({}).mode).toBe("embedded");
  for (const missing of Object.keys(configured)) {
    const settings = Object.entries(configured).filter(([name]) => name !== missing);
    expect([missing, open(Object.fromEntries(settings)).mode]).toEqual([missing, "embedded"]);
  }
});

test("accepts keys with or without 0x, and an address in upper or lower case", () => {
  const { address: admin } = privateKeyToAccount(`0x${KEY}`);
  expect(open(configured).station).toMatchObject({ admin });
  const chainFactoryAddress = `0x${"aB".repeat(20)}`;
  expect(open({ ...configured, chainAdminKey: KEY, chainFactoryAddress }).station).toEqual({
    admin,
    factory: getAddress(chainFactoryAddress),
  });
});

test("rejects an invalid address or key and says which it is", () => {
  expect(() => open({ ...configured, chainFactoryAddress: "0x12" })).toThrow("CHAIN_FACTORY_ADDRESS is no address");
  expect(() => open({ ...configured, chainManagerKey: "not a key" })).toThrow("A key of the chain is not hexadecimal");
});
