import {
  changeWallet,
  detectWallet,
  linkWallet,
  readWalletChangeEligibility,
  readWalletMessage,
  type WalletMessageQuery,
  type WalletSignatureInput,
} from "../../server/wallet/contract.ts";
import { ApiError, toApiError } from "../api/api-error.ts";
import { requireSuccess, type Caller, type OptionalCaller } from "../api/call.ts";
import { readMember } from "./member.ts";
import { writeWalletMessage } from "./wallet-message.ts";
import { WRITE_RETRIES } from "./write-retries.ts";

const TO_CHECK = { signedOutMessage: "You must be logged in to check wallet change eligibility" };
const TO_LINK = {
  signedOutMessage: "You must be logged in to link a wallet",
  retries: WRITE_RETRIES.default,
  bringsRefusal: true,
};

/**
 * Creates the calls that link and change a wallet. Each can be done only once. `origin` is where the product is
 * reached.
 */
export function createWalletClient(call: Caller, callIfOffered: OptionalCaller, origin: string) {
  return {
    /** Returns what the wallet signs before it is linked or changed. */
    message: async (query: WalletMessageQuery) =>
      (await callIfOffered(readWalletMessage, { query }, TO_LINK)) ?? writeWalletMessage(query, origin),
    /** Null if the backend says nothing about a wallet before it has signed. */
    detect: (address: string) => callIfOffered(detectWallet, { query: { address } }),
    link: (input: WalletSignatureInput) =>
      call(linkWallet, { body: input }, { ...TO_LINK, findOutcome: () => findLinked(call, input.address, LINKED) }),
    change: (input: WalletSignatureInput) =>
      call(changeWallet, { body: input }, { ...TO_LINK, findOutcome: () => findLinked(call, input.address, CHANGED) }),
    /** Rejects with the server's message, or 'Failed to check wallet change eligibility' (specification, section 8). */
    async changeEligibility() {
      try {
        const answer = await call(readWalletChangeEligibility, {}, TO_CHECK);
        requireSuccess(answer);
        return answer;
      } catch (error) {
        throw toEligibilityError(toApiError(error));
      }
    },
  };
}

const LINKED = "Wallet linked successfully!";
const CHANGED = "Wallet changed successfully!";

/** Returns the outcome if the wallet is the member's by now, or null. */
async function findLinked(call: Caller, address: string, message: string) {
  const user = await readMember(call);
  return user.wallet?.toLowerCase() === address.toLowerCase() ? { success: true, message, user } : null;
}

function toEligibilityError(error: ApiError): ApiError {
  if (error.fromServer || error.message === TO_CHECK.signedOutMessage) return error;
  return new ApiError("Failed to check wallet change eligibility", error.code, error.status, { cause: error });
}
