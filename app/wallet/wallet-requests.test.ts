import type { Hex } from "viem";
import { afterEach, expect, test, vi } from "vitest";
import { connect } from "wagmi/actions";
import { walletConfig } from "./wallet-config.ts";
import { signText, type OnSilence } from "./wallet-requests.ts";
import { dropConnection } from "./wallet-session.ts";

const ADDRESS = "0x52908400098527886E0F7030069857D2E4169EE7";
const SIGNATURE: Hex = `0x${"12".repeat(64)}1b`;

afterEach(() => {
  dropConnection();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Has a wallet asked to sign, which answers when it is told to. */
async function askToSign() {
  vi.useFakeTimers();
  const { promise, resolve, reject } = Promise.withResolvers<Hex>();
  const answers: Record<string, unknown> = {
    eth_requestAccounts: [ADDRESS],
    eth_accounts: [ADDRESS],
    eth_chainId: "0x1",
    personal_sign: promise,
  };
  const request = async ({ method }: { method: string }) => answers[method];
  vi.stubGlobal("window", { ethereum: { request, on() {}, removeListener() {} } });
  const [connector] = walletConfig.connectors;
  if (!connector) throw new Error("There is a connector for the wallets of extensions");
  await connect(walletConfig, { connector });
  const onSilence = vi.fn<OnSilence>();
  const signed = signText(ADDRESS, "A text", onSilence);
  return { onSilence, resolve, reject, signed };
}

const SILENT = [[expect.objectContaining({ reason: "unanswered", toast: "Request timed out. Please try again" })]];

test("after a minute a wallet is silent, and what it signs after that is a signature still", async () => {
  const { onSilence, resolve, signed } = await askToSign();
  await vi.advanceTimersByTimeAsync(59_999);
  expect(onSilence).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(onSilence.mock.calls).toEqual(SILENT);
  await vi.advanceTimersByTimeAsync(120_000);
  resolve(SIGNATURE);
  expect(await signed).toBe(SIGNATURE);
  expect(onSilence).toHaveBeenCalledOnce();
});

test("what it refuses after that is refused", async () => {
  const { onSilence, reject, signed } = await askToSign();
  await vi.advanceTimersByTimeAsync(61_000);
  expect(onSilence.mock.calls).toEqual(SILENT);
  reject(Object.assign(new Error("User rejected the request."), { code: 4001 }));
  await expect(signed).rejects.toMatchObject({ reason: "rejected", toast: "Transaction cancelled" });
});

test("a wallet that answers in time was never silent", async () => {
  const { onSilence, resolve, signed } = await askToSign();
  await vi.advanceTimersByTimeAsync(59_000);
  resolve(SIGNATURE);
  expect(await signed).toBe(SIGNATURE);
  await vi.advanceTimersByTimeAsync(61_000);
  expect(onSilence).not.toHaveBeenCalled();
});
