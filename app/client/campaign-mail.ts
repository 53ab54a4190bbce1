import {
  readCampaignMail,
  sendCampaignEmail,
  setCampaignMail,
  unsubscribeCampaignMail,
  verifyCampaignEmail,
  type VerifyCampaignEmailInput,
} from "../../server/campaign-mail/contract.ts";
import { requireOffered, type Caller, type OptionalCaller } from "../api/call.ts";
import { WRITE_RETRIES } from "./write-retries.ts";

/** Creates the calls about campaign mail. Those that send an email or spend a code are never sent twice. */
export function createCampaignMailClient(call: Caller, callIfOffered: OptionalCaller) {
  return {
    /** Null if the backend has none. */
    read: () => callIfOffered(readCampaignMail, {}),
    send: (email: string) => requireOffered(callIfOffered(sendCampaignEmail, { body: { email } })),
    verify: (input: VerifyCampaignEmailInput) => requireOffered(callIfOffered(verifyCampaignEmail, { body: input })),
    subscribe: (subscribed: boolean) =>
      requireOffered(callIfOffered(setCampaignMail, { body: { subscribed } }, { retries: WRITE_RETRIES.default })),
    unsubscribe: (code: string) =>
      call(unsubscribeCampaignMail, { body: { code } }, { retries: WRITE_RETRIES.default }),
  };
}
