import { HeartbeatStatus, readHeartbeatStatus } from "../../server/heartbeats/contract.ts";
import { claimReward, readSubmissions } from "../../server/rewards/contract.ts";
import type { Caller } from "../api/call.ts";
import { WRITE_RETRIES } from "./write-retries.ts";

/** What can be earned beside heartbeats and friends. */
export function createRewardsClient(call: Caller) {
  return {
    submissions: () => call(readSubmissions, {}),
    /** Null where the backend says it in other fields: the specification leaves them open. */
    async heartbeatStatus(): Promise<HeartbeatStatus | null> {
      const status = await call(readHeartbeatStatus, {});
      return hasFieldsOf(HeartbeatStatus.shape, status) ? status : null;
    },
    claim: (id: string) => call(claimReward, { params: { id } }, { retries: WRITE_RETRIES.claim }),
  };
}

/** Whether an answer has any field of a shape. */
const hasFieldsOf = (shape: object, answer: unknown) =>
  typeof answer === "object" && answer !== null && Object.keys(shape).some((name) => name in answer);
