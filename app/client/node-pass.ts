import { readNodePass, type NodePass } from "../../server/node-pass/contract.ts";
import type { OptionalCaller } from "../api/call.ts";

const NONE: NodePass = { state: "off", wallet: null, contract: null, holding: null, minting: null };

/** The node passes of the linked wallet. A backend that knows nothing of them has none to show. */
export function createNodePassClient(callIfOffered: OptionalCaller) {
  return { read: async () => (await callIfOffered(readNodePass, {})) ?? NONE };
}
