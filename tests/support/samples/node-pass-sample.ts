import type { NodePass, NodePassToken } from "../../../server/node-pass/contract.ts";

const WALLET = "0x7aF3c1d2E4b5968778695a4b3c2d1e0f9a8b91bE";

const TOKEN: NodePassToken = {
  id: "7",
  owner: WALLET,
  activated: true,
  approved: null,
  metadata: { name: "Pass #7", description: null, image: null },
  details: { tier: "Founder", mintedAt: "2026-11-01T12:00:00.000Z", activatedAt: "2026-11-02T12:00:00.000Z" },
};

export const NODE_PASS_SAMPLE: NodePass = {
  state: "ready",
  wallet: WALLET,
  contract: {
    address: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
    chainId: 3338,
    name: "Nodebeat Pass",
    symbol: "PASS",
    totalSupply: "120",
  },
  holding: { balance: "1", tokens: [TOKEN], operators: [], nonce: "1" },
  minting: { canMint: false, whitelisted: true, ticketState: "not-eligible", goldenTicket: null },
};
