import { DataSections, exportData, keepAccount, requestDeletion } from "../../../server/account-data/contract.ts";
import {
  readCampaignMail,
  sendCampaignEmail,
  setCampaignMail,
  verifyCampaignEmail,
} from "../../../server/campaign-mail/contract.ts";
import {
  readEmailChange,
  requestEmailChange,
  resendEmailChange,
  verifyEmailChange,
} from "../../../server/email-change/contract.ts";
import { readSecurityActivity } from "../../../server/security-activity/contract.ts";
import { readSessions, revokeOtherSessions, revokeSession } from "../../../server/sessions/contract.ts";
import { RESEND_SAMPLE as resend, sample } from "./sample.ts";

const session = {
  id: "0192-session",
  device: "Firefox on Linux",
  network: "203.0.113.0/24",
  createdAt: "2026-11-19T08:00:00.000Z",
  lastSeenAt: "2026-11-20T14:15:00.000Z",
  expiresAt: "2026-12-19T08:00:00.000Z",
  current: true,
};

const done = { success: true, message: "Done" };

/** A backend's answers about an account: its data, sessions, activity and addresses. */
export const ACCOUNT_SAMPLES = [
  sample(requestDeletion, { ...done, deletionDueAt: "2026-12-04T14:15:00.000Z" }),
  sample(keepAccount, done),
  {
    endpoint: exportData,
    response: {
      format: "nodebeat-data-export",
      version: 1,
      exported_at: "2026-11-20T14:15:00.000Z",
      ...Object.fromEntries(Object.keys(DataSections.shape).map((section) => [section, []])),
    },
  },
  sample(readSessions, { sessions: [session] }),
  sample(revokeSession, done),
  sample(revokeOtherSessions, done),
  sample(readSecurityActivity, {
    events: [
      {
        id: "e1",
        kind: "signed-in",
        device: "Firefox on Linux",
        network: null,
        occurredAt: "2026-11-20T14:15:00.000Z",
      },
    ],
    pagination: { limit: 10, page: 1, total: 1, totalPages: 1 },
  }),
  sample(readEmailChange, { isOffered: true, pending: null }),
  sample(requestEmailChange, { resend }),
  sample(resendEmailChange, { resend }),
  sample(verifyEmailChange, done),
  sample(readCampaignMail, { email: null, pendingEmail: "ana@example.org", subscribed: true }),
  sample(sendCampaignEmail, { token: "nbe_1", resend }),
  sample(verifyCampaignEmail, done),
  sample(setCampaignMail, done),
];
