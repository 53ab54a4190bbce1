import { readRefusedBeats, readUptime, type UptimeRange } from "../../server/heartbeats/contract.ts";
import {
  readSilenceMail,
  setSilenceMail,
  unsubscribeSilenceMail,
  type SilenceMail,
} from "../../server/silence-mail/contract.ts";
import type { Caller } from "../api/call.ts";
import { WRITE_RETRIES } from "./write-retries.ts";

/** How the member's node is, and who is told when it is silent. */
export function createNodeClient(call: Caller) {
  const retries = WRITE_RETRIES.default;
  return {
    uptime: (range: UptimeRange) => call(readUptime, { query: { range } }),
    refusedBeats: (limit: number) => call(readRefusedBeats, { query: { limit } }),
    silenceMail: () => call(readSilenceMail, {}),
    setSilenceMail: (choice: SilenceMail) => call(setSilenceMail, { body: choice }, { retries }),
    unsubscribe: (code: string) => call(unsubscribeSilenceMail, { body: { code } }, { retries }),
  };
}
