import type { BrowserContext } from "@playwright/test";
import { hexToNumber, numberToHex, type Hex } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { newWallet } from "../chain/new-wallet.ts";

/**
 * How the wallet's owner answers a request. "pending" means that a prompt is open already; "hang", no answer at all;
 * "parity", an approval by a wallet whose signatures end with 0 or 1.
 */
type Answer =
  | "approve"
  | "parity"
  | "reject"
  | "pending"
  | "hang"
  | { result: unknown }
  | { code: number; message: string };
/** A later answer is a promise. */
type Policy = Answer | Promise<Answer>;

type Options = {
  name?: string;
  chainId?: number;
  /** The networks it knows. For others it returns error 4902. */
  chains?: number[];
  /** The keys of another browser's wallet, to be the same wallet. */
  accounts?: readonly [PrivateKeyAccount, PrivateKeyAccount];
  /** False for a wallet that does not announce itself, and is only at `window.ethereum`. */
  announced?: boolean;
};

const REFUSALS = {
  reject: { code: 4001, message: "User rejected the request." },
  pending: { code: -32_002, message: "Request already pending. Please wait." },
};

/**
 * Installs a wallet with two new accounts in every page of a browser: an EIP-1193 provider, announced by EIP-6963.
 * Tests set per method how its owner answers. Like an extension, it remembers whether it is connected.
 */
export async function installWallet(context: BrowserContext, options: Options = {}) {
  const { name = "Test Wallet", chainId = 1, chains = [1, 3338], announced = true } = options;
  const { accounts = [newWallet(), newWallet()] } = options;
  const state = { account: accounts[0], chainId, chains, isPermitted: false, isLocked: false };
  const answers: Record<string, Policy> = {};
  const asked: { method: string; params: unknown[] }[] = [];
  const visible = () => (state.isPermitted && !state.isLocked ? [state.account.address] : []);

  async function emit(event: string, data: unknown) {
    const detail = [event, data];
    for (const page of context.pages()) {
      await page.evaluate((each) => void dispatchEvent(new CustomEvent("test-wallet", { detail: each })), detail);
    }
  }
  async function moveTo(id: number) {
    state.chainId = id;
    await emit("chainChanged", numberToHex(id));
    return null;
  }
  async function revoke() {
    state.isPermitted = false;
    await emit("accountsChanged", []);
    return null;
  }

  const methods: Record<string, (params: never) => unknown> = {
    eth_accounts: visible,
    eth_chainId: () => numberToHex(state.chainId),
    test_isUnlocked: () => !state.isLocked,
    eth_requestAccounts() {
      Object.assign(state, { isPermitted: true, isLocked: false });
      return visible();
    },
    wallet_revokePermissions: revoke,
    personal_sign: ([raw, address]: [Hex, Hex]) => keyOf(address).signMessage({ message: { raw } }),
    eth_signTypedData_v4: ([address, text]: [Hex, string]) => keyOf(address).signTypedData(JSON.parse(text)),
    wallet_switchEthereumChain([{ chainId: id }]: [{ chainId: Hex }]) {
      if (state.chains.includes(hexToNumber(id))) return moveTo(hexToNumber(id));
      throw refusal(4902, "Unrecognized chain ID.");
    },
    wallet_addEthereumChain([{ chainId: id }]: [{ chainId: Hex }]) {
      state.chains.push(hexToNumber(id));
      return moveTo(hexToNumber(id));
    },
  };
  function keyOf(address: Hex): PrivateKeyAccount {
    const key = accounts.find((each) => each.address.toLowerCase() === address.toLowerCase());
    if (!key || !visible().includes(key.address)) throw refusal(4100, "This account is not available.");
    return key;
  }

  async function request(method: string, params: unknown[]) {
    asked.push({ method, params });
    const answer = await (answers[method] ?? "approve");
    if (answer === "hang") return new Promise<never>(() => {});
    if (answer === "reject" || answer === "pending") return { error: REFUSALS[answer] };
    if (typeof answer === "object") return "result" in answer ? answer : { error: answer };
    try {
      const run = methods[method] ?? (() => Promise.reject(refusal(-32_601, `${method} is not known.`)));
      const result = await run(params as never);
      return { result: answer === "parity" ? String(result).replace(/1b$/, "00").replace(/1c$/, "01") : result };
    } catch (error) {
      return { error };
    }
  }
  await context.exposeBinding("testWallet", (_source, method: string, params: unknown[]) => request(method, params));
  await context.addInitScript(injectProvider, { name, announced });

  return {
    accounts,
    state,
    /** How the owner answers, by method. Methods without an entry are approved. */
    answers,
    asked,
    /** Returns how often a method was called. */
    count: (method: string) => asked.filter((each) => each.method === method).length,
    async choose(account: PrivateKeyAccount) {
      state.account = account;
      if (state.isPermitted) await emit("accountsChanged", visible());
    },
    moveTo,
    revoke,
  };
}

const refusal = (code: number, message: string) => ({ code, message });

declare global {
  interface Window {
    testWallet: (method: string, params?: unknown[]) => Promise<{ result?: unknown; error?: { message: string } }>;
    ethereum?: unknown;
  }
}

/** Runs in the page. */
function injectProvider({ name, announced }: { name: string; announced: boolean }) {
  // The blank page of a new tab, where no wallet is present.
  if (!isSecureContext) return;
  const listeners = new Map<string, Set<(data: unknown) => void>>();
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- only this function is passed to the page
  async function ask(method: string, params: unknown[] = []) {
    const { result, error } = await window.testWallet(method, params);
    if (error) throw Object.assign(new Error(error.message), error);
    return result;
  }
  const provider = {
    request: ({ method, params }: { method: string; params?: unknown[] }) => ask(method, params),
    on: (event: string, listener: (data: unknown) => void) =>
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
    removeListener: (event: string, listener: (data: unknown) => void) => listeners.get(event)?.delete(listener),
    isMetaMask: !announced,
    _metamask: { isUnlocked: () => ask("test_isUnlocked") },
  };
  addEventListener("test-wallet", (event) => {
    const [type, data] = (event as CustomEvent<[string, unknown]>).detail;
    listeners.get(type)?.forEach((listener) => listener(data));
  });
  if (!announced) {
    window.ethereum = provider;
    return;
  }
  const icon =
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Cpath fill='%23e8731a' d='M0 0h8v8H0z'/%3E%3C/svg%3E";
  const detail = Object.freeze({
    info: { uuid: crypto.randomUUID(), name, icon, rdns: "test.nodebeat.wallet" },
    provider,
  });
  const announce = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
  addEventListener("eip6963:requestProvider", announce);
  announce();
}
