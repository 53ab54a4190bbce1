import { readRefusedBeats, readUptime, type UptimeRange } from "../../server/heartbeats/contract.ts";
import {
  readSilenceMail,
  setSilenceMail,
  unsubscribeSilenceMail,
  type SilenceMail,
} from "../../server/silence-mail/contract.ts";
import { requireOffered, type Caller, type OptionalCaller } from "../api/call.ts";
import { WRITE_RETRIES } from "./write-retries.ts";

/**
 * Creates the calls about the member's node and the emails about its silence. Reads return null if the backend does not
 * provide them.
 */
export function createNodeClient(call: Caller, callIfOffered: OptionalCaller) {
  const retries = WRITE_RETRIES.default;
  return {
    uptime: (range: UptimeRange) => callIfOffered(readUptime, { query: { range } }),
    refusedBeats: (limit: number) => callIfOffered(readRefusedBeats, { query: { limit } }),
    silenceMail: () => callIfOffered(readSilenceMail, {}),
    setSilenceMail: (choice: SilenceMail) =>
      requireOffered(callIfOffered(setSilenceMail, { body: choice }, { retries })),
    unsubscribe: (code: string) => call(unsubscribeSilenceMail, { body: { code } }, { retries }),
  };
}
