import {
  readCampaignMail,
  sendCampaignEmail,
  setCampaignMail,
  unsubscribeCampaignMail,
  verifyCampaignEmail,
  type VerifyCampaignEmailInput,
} from "../../server/campaign-mail/contract.ts";
import type { Caller, OptionalCaller } from "../api/call.ts";
import { WRITE_RETRIES } from "./write-retries.ts";

/** Where campaign mail goes, and whether it does. What sends a mail or spends a code is never sent twice. */
export function createCampaignMailClient(call: Caller, callIfOffered: OptionalCaller) {
  return {
    /** Null where the backend has none. */
    read: () => callIfOffered(readCampaignMail, {}),
    send: (email: string) => call(sendCampaignEmail, { body: { email } }),
    verify: (input: VerifyCampaignEmailInput) => call(verifyCampaignEmail, { body: input }),
    subscribe: (subscribed: boolean) =>
      call(setCampaignMail, { body: { subscribed } }, { retries: WRITE_RETRIES.default }),
    unsubscribe: (code: string) =>
      call(unsubscribeCampaignMail, { body: { code } }, { retries: WRITE_RETRIES.default }),
  };
}
