import { readNodePass, type NodePass } from "../../server/node-pass/contract.ts";
import { toApiError } from "../api/api-error.ts";
import type { Caller } from "../api/call.ts";

const NONE: NodePass = { state: "off", wallet: null, contract: null, holding: null, minting: null };

/** The node passes of the linked wallet. A backend that knows nothing of them has none to show. */
export function createNodePassClient(call: Caller) {
  return {
    read: () =>
      call(readNodePass, {}).catch((error: unknown) => {
        if (toApiError(error).status === 404) return NONE;
        throw error;
      }),
  };
}
