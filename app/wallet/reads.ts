import { defineRead } from "../cache/read.ts";

export const walletChangeEligibilityQuery = defineRead("wallet-change-eligibility", {
  source: (api) => api.wallet.changeEligibility(),
  staleAfter: ["profile", "machine-id", "wallet"],
});

export const walletDetectQuery = defineRead("wallet-detect", {
  params: ["address"],
  source: (api, { address }: { address: string }) => api.wallet.detect(address),
});
