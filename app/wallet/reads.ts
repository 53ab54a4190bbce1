import type { WalletMessageQuery } from "../../server/wallet/contract.ts";
import { defineRead } from "../cache/read.ts";

export const walletChangeEligibilityQuery = defineRead("wallet-change-eligibility", {
  source: (api) => api.wallet.changeEligibility(),
  staleAfter: ["machine-id", "wallet", "USER_UPDATED"],
});

export const walletDetectQuery = defineRead("wallet-detect", {
  params: ["address"],
  source: (api, { address }: { address: string }) => api.wallet.detect(address),
});

/** What the wallet signs. It holds for one signature: read it, but not from a cache. */
export const walletMessageQuery = defineRead("wallet-message", {
  params: ["address", "purpose", "origin"],
  source: (api, query: WalletMessageQuery) => api.wallet.message(query),
});
