import {
  approveAdjustment,
  declineAdjustment,
  makeAdjustment,
  readAdjustmentRequests,
  type Adjustment,
} from "../../server/adjustments/contract.ts";
import {
  readBackgroundJobs,
  readChainJob,
  readChainJobs,
  removeEmail,
  retryBackgroundJob,
  retryChainJob,
  retryEmails,
  type BackgroundJobName,
} from "../../server/background-work/contract.ts";
import {
  changeCampaign,
  createCampaign,
  endCampaign,
  importCompletions,
  readCampaign,
  readCampaignCompletions,
  readCampaigns,
  type CampaignChange,
  type CompletionFile,
  type NewCampaign,
} from "../../server/campaigns/contract.ts";
import {
  discardLegalDraft,
  publishLegalDraft,
  readLegalDrafts,
  readLegalEditing,
  saveLegalDraft,
  type LegalDraftInput,
} from "../../server/legal/contract.ts";
import {
  readHeldReferral,
  readHeldReferrals,
  refuseHeldReferral,
  releaseHeldReferral,
} from "../../server/referrals/contract.ts";
import {
  addWebhook,
  pauseWebhook,
  readDeliveries,
  readIncomingWebhooks,
  readWebhooks,
  removeWebhook,
  replayWebhook,
  resumeWebhook,
  rotateWebhook,
  type NewWebhook,
  type Replay,
  type Rotation,
} from "../../server/webhooks/contract.ts";
import type { Caller } from "../api/call.ts";

export type WithReason = { reason: string };
/** Query parameters as they are in the address. The API checks what they mean. */
type Query = Record<string, string | undefined>;

const withId = (id: string) => ({ params: { id } });
const byDocument = (document: string) => ({ params: { document } });

/** Creates the calls of administrators that are not about members. They reject as createAdministrationClient says. */
export function createAdministrationWork(call: Caller) {
  return {
    campaigns: {
      list: (query: Query) => call(readCampaigns, { query }),
      read: (id: string) => call(readCampaign, withId(id)),
      completions: (id: string, query: Query) => call(readCampaignCompletions, { ...withId(id), query }),
      create: (body: NewCampaign & WithReason) => call(createCampaign, { body }),
      change: (id: string, body: CampaignChange & WithReason) => call(changeCampaign, { ...withId(id), body }),
      end: (id: string, body: WithReason) => call(endCampaign, { ...withId(id), body }),
      importCompletions: (body: CompletionFile & WithReason) => call(importCompletions, { body }, { isLong: true }),
    },
    adjustments: {
      list: (query: Query) => call(readAdjustmentRequests, { query }),
      make: (body: Adjustment & WithReason) => call(makeAdjustment, { body }),
      approve: (id: string, body: WithReason) => call(approveAdjustment, { ...withId(id), body }),
      decline: (id: string, body: WithReason) => call(declineAdjustment, { ...withId(id), body }),
    },
    heldReferrals: {
      list: (query: Query) => call(readHeldReferrals, { query }),
      read: (id: string) => call(readHeldReferral, withId(id)),
      release: (id: string, body: WithReason) => call(releaseHeldReferral, { ...withId(id), body }),
      refuse: (id: string, body: WithReason) => call(refuseHeldReferral, { ...withId(id), body }),
    },
    legal: {
      list: () => call(readLegalDrafts, {}),
      editing: (document: string) => call(readLegalEditing, byDocument(document)),
      save: (document: string, body: LegalDraftInput & WithReason) =>
        call(saveLegalDraft, { ...byDocument(document), body }),
      discard: (document: string, body: { revision: number } & WithReason) =>
        call(discardLegalDraft, { ...byDocument(document), body }),
      publish: (document: string, body: { revision: number } & WithReason) =>
        call(publishLegalDraft, { ...byDocument(document), body }),
    },
    backgroundJobs: {
      list: (query: Query) => call(readBackgroundJobs, { query }),
      retry: (body: BackgroundJobName & WithReason) => call(retryBackgroundJob, { body }),
      retryEmails: (body: WithReason) => call(retryEmails, { body }),
      removeEmail: (body: { key: string } & WithReason) => call(removeEmail, { body }),
    },
    webhooks: {
      list: () => call(readWebhooks, {}),
      incoming: () => call(readIncomingWebhooks, {}),
      deliveries: (id: string, query: Query) => call(readDeliveries, { ...withId(id), query }),
      /** The response contains the secret. Rejects with CONFLICT for a key that was sent before. */
      add: (body: NewWebhook & WithReason) => call(addWebhook, { body }),
      /**
       * The response contains the new secret. Rejects with CONFLICT if the secret to replace is no longer the current
       * one.
       */
      rotate: (id: string, body: Rotation & WithReason) => call(rotateWebhook, { ...withId(id), body }),
      replay: (id: string, body: Replay & WithReason) => call(replayWebhook, { ...withId(id), body }),
      pause: (id: string, body: WithReason) => call(pauseWebhook, { ...withId(id), body }),
      resume: (id: string, body: WithReason) => call(resumeWebhook, { ...withId(id), body }),
      remove: (id: string, body: WithReason) => call(removeWebhook, { ...withId(id), body }),
    },
    chainJobs: {
      list: (query: Query) => call(readChainJobs, { query }),
      read: (id: string) => call(readChainJob, withId(id)),
      retry: (id: string, body: WithReason) => call(retryChainJob, { ...withId(id), body }),
    },
  };
}
