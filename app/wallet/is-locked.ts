import type { Connector } from "wagmi";
import { withWalletTimeout, READ_TIMEOUT_MS } from "./wallet-timeout.ts";

/** Returns whether a wallet says that it is locked. False if it does not say. */
export async function isLocked(connector: Connector): Promise<boolean> {
  const provider: unknown = await connector.getProvider().catch(() => undefined);
  const lock = isObject(provider) ? provider[LOCK] : undefined;
  if (!isObject(lock) || typeof lock["isUnlocked"] !== "function") return false;
  try {
    return (await withWalletTimeout(Promise.resolve(lock["isUnlocked"]()), READ_TIMEOUT_MS)) === false;
  } catch {
    return false;
  }
}

/** MetaMask's own interface, which others have copied: https://docs.metamask.io/wallet/reference/provider-api */
const LOCK = "_metamask";

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
