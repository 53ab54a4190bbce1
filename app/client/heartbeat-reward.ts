/** The same as HEARTBEAT_REWARD_ID in server/heartbeats/contract.ts, which would bring zod into the browser. */
export const HEARTBEAT_REWARD = "heartbeat";
