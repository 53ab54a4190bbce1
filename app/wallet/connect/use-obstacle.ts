import { toApiError } from "../../api/api-error.ts";
import { asText } from "../../cache/as-text.ts";
import { useRead } from "../../cache/query-provider.tsx";
import { useQuery } from "../../cache/use-query.ts";
import { isSameAddress } from "../same-address.ts";
import type { SignPurpose } from "../sign/sign-words.ts";
import type { Problem } from "../sign/use-signing.ts";
import { walletChangeEligibilityQuery, walletDetectQuery } from "../reads.ts";

type Addresses = { linked: string | null; connected: string | null };

/**
 * Returns why there is nothing to sign, before a wallet is asked. Null if there is no obstacle, or none is known yet.
 */
export function useObstacle(purpose: SignPurpose, { linked, connected }: Addresses): Problem | null {
  const read = useRead();
  const isChange = purpose === "change";
  const eligibility = useQuery({ ...walletChangeEligibilityQuery(read), enabled: isChange });
  const { data: detected } = useQuery({
    ...walletDetectQuery(read, { address: connected ?? "" }),
    enabled: connected !== null,
  });

  if (!isChange && linked !== null) {
    return isSameAddress(connected, linked)
      ? {
          title: "This wallet is linked",
          text: "It was linked in another tab or on another device. You can close this.",
        }
      : { title: "Another wallet is linked", text: `You linked ${linked} in another tab or on another device.` };
  }
  if (isChange && eligibility.error) {
    return { title: "This could not be checked", text: toApiError(eligibility.error).message };
  }
  if (isChange && eligibility.data?.eligible === false) {
    return {
      title: "The wallet cannot be changed",
      text: asText(eligibility.data.message) ?? "You have already changed your wallet.",
    };
  }
  if (isChange && isSameAddress(connected, linked)) {
    return {
      title: "This is the linked wallet",
      text: "Choose the other account in your wallet. This page updates by itself.",
    };
  }
  if (detected?.contract) {
    return {
      title: "This is a contract wallet",
      text: "It cannot sign what a Machine ID needs later. Connect a wallet with a key of its own.",
    };
  }
  return null;
}
