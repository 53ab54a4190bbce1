/** How the reward for 100 heartbeats is named where campaigns have their ids. */
export const HEARTBEAT_REWARD = "heartbeat";
