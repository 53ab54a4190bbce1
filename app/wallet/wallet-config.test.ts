import { afterEach, expect, test, vi } from "vitest";
import { withWalletTimeout, READ_TIMEOUT_MS } from "./wallet-timeout.ts";
import { isSameAddress } from "./same-address.ts";
import { IDENTITY_CHAIN, walletConfig } from "./wallet-config.ts";
import { findReason } from "./wallet-error.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

// specification: 3.59, 9.9
test("configures three networks, and PEAQ as the currency of the identity network", () => {
  expect(walletConfig.chains.map(({ id }) => id)).toEqual([1, 11_155_111, 3338]);
  expect(walletConfig.chains.map(({ name, testnet = false }) => [name, testnet])).toEqual([
    ["Ethereum", false],
    ["Sepolia", true],
    ["Peaq", false],
  ]);
  expect([IDENTITY_CHAIN.id, IDENTITY_CHAIN.nativeCurrency.symbol]).toEqual([3338, "PEAQ"]);
});

// specification: 3.60
test("connects only to injected wallets", () => {
  expect(walletConfig.connectors.map(({ type }) => type)).toEqual(["injected"]);
});

// specification: 9.33
test("a read that the wallet answers itself times out after ten seconds and has three retries", async () => {
  for (const { id } of walletConfig.chains) {
    expect(walletConfig.getClient({ chainId: id }).transport.retryCount).toBe(3);
  }
  vi.useFakeTimers();
  const settled = vi.fn<(error: unknown) => void>();
  const waiting = withWalletTimeout(new Promise<never>(() => {}), READ_TIMEOUT_MS).catch(settled);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(settled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await waiting;
  expect(settled).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ reason: "unanswered", message: expect.any(String) }),
  );
});

// specification: 9.33
test("a read that the wallet sends to a network times out after ten seconds, with three retries", async () => {
  vi.useFakeTimers();
  const asked: string[] = [];
  const request = ({ method }: { method: string }) => {
    asked.push(method);
    return method === "eth_chainId" ? Promise.resolve("0x1") : new Promise<never>(() => {});
  };
  vi.stubGlobal("window", { ethereum: { request } });
  const failed = vi.fn<(error: unknown) => void>();
  void walletConfig.getClient({ chainId: 1 }).request({ method: "eth_blockNumber" }).catch(failed);
  const tries = () => asked.filter((method) => method === "eth_blockNumber").length;

  await vi.advanceTimersByTimeAsync(9_999);
  expect(tries()).toBe(1);
  // The pauses between the tries are 150, 300 and 600 ms.
  await vi.advanceTimersByTimeAsync(31_050);
  expect([tries(), failed.mock.calls]).toEqual([4, []]);
  await vi.advanceTimersByTimeAsync(1);
  expect(failed).toHaveBeenCalledOnce();
  expect(findReason(failed.mock.calls[0]?.[0])).toBe("unanswered");
});

// specification: 5.13
test("compares addresses without regard to case, and a missing address equals none", () => {
  expect(isSameAddress("0xABcd", "0xabCD")).toBe(true);
  expect(isSameAddress("0xABcd", "0xabCE")).toBe(false);
  expect([isSameAddress(null, "0xABcd"), isSameAddress("0xABcd", null), isSameAddress(null, null)]).toEqual([
    false,
    false,
    false,
  ]);
});
