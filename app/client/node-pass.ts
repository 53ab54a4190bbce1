import { readNodePass, type NodePass } from "../../server/node-pass/contract.ts";
import type { OptionalCaller } from "../api/call.ts";

const NONE: NodePass = { state: "off", wallet: null, contract: null, holding: null, minting: null };

/**
 * Creates the call that reads the node passes of the linked wallet. There are none if the backend does not know them.
 */
export function createNodePassClient(callIfOffered: OptionalCaller) {
  return { read: async () => (await callIfOffered(readNodePass, {})) ?? NONE };
}
