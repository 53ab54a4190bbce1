import { SwitchChainError, UserRejectedRequestError } from "viem";
import { ChainNotConfiguredError, ConnectorAccountNotFoundError, ProviderNotFoundError } from "wagmi";
import { expect, test } from "vitest";
import { findReason, toConnectError, toSigningError, WalletError, type WalletReason } from "./wallet-error.ts";

const raw = (code: number, message = "…", more = {}) => Object.assign(new Error(message), { code, ...more });

// specification: 8.15, 8.26, 8.27, 8.28, 8.29
test.for<[string, unknown, WalletReason]>([
  ["a rejection", raw(4001), "rejected"],
  ["a rejection that viem has wrapped", new UserRejectedRequestError(raw(4001)), "rejected"],
  ["a rejected switch, whose wrapper says 4902", new SwitchChainError(raw(4001)), "rejected"],
  ["a chain that the wallet does not know", new SwitchChainError(raw(4902)), "wrong-chain"],
  ["a prompt that is open already, which arrives bare", raw(-32_002), "pending"],
  ["a code that a phone's wallet hides", raw(-32_603, "…", { data: { originalError: raw(4902) } }), "wrong-chain"],
  ["a wallet that lets nobody in", raw(4100), "unauthorized"],
  ["a network that is not ours", new ChainNotConfiguredError(), "wrong-chain"],
  ["an account that the wallet does not show", accountNotFound(), "wrong-account"],
  ["a wallet that is gone", new ProviderNotFoundError(), "no-wallet"],
  ["nothing but a text of rejection", new Error("User rejected"), "rejected"],
  ["a rejection in other words, with a code of the wallet's own", raw(1001, "User canceled"), "rejected"],
  ["nothing but a text of funds", new Error("insufficient funds for gas"), "insufficient-funds"],
  ["nothing but a text of time", new Error("the request timed out"), "unanswered"],
  ["nothing but a text of networks", new Error("wrong network"), "wrong-chain"],
  ["anything else", new Error("…"), "failed"],
  ["what is no error", "oops", "failed"],
  ["a circle of causes", circle(), "failed"],
])("classifies %s", ([, error, reason]) => {
  expect(findReason(error)).toBe(reason);
});

// specification: 8.26
test("a wrong network raises no toast, and a known wallet error stays as it is", () => {
  expect(toSigningError(new Error("wrong network")).toast).toBeNull();
  const known = new WalletError("closed", null);
  expect(toSigningError(known)).toBe(known);
  expect(known.message).toBe("No wallet was connected.");
});

// specification: 8.18
test("names a wallet whose connector is not found", () => {
  expect(toConnectError(new ProviderNotFoundError(), "Rabby").toast).toBe("Rabby connector not found");
});

function accountNotFound() {
  const connector = { name: "Wallet" } as ConstructorParameters<typeof ConnectorAccountNotFoundError>[0]["connector"];
  return new ConnectorAccountNotFoundError({ address: `0x${"1".repeat(40)}`, connector });
}

function circle() {
  const error = new Error("…");
  error.cause = error;
  return error;
}
