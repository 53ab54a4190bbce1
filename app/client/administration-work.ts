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
  removeLetter,
  retryBackgroundJob,
  retryChainJob,
  retryLetters,
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

export type Because = { reason: string };
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
      create: (body: NewCampaign & Because) => call(createCampaign, { body }),
      change: (id: string, body: CampaignChange & Because) => call(changeCampaign, { ...withId(id), body }),
      end: (id: string, body: Because) => call(endCampaign, { ...withId(id), body }),
      importCompletions: (body: CompletionFile & Because) => call(importCompletions, { body }),
    },
    adjustments: {
      list: (query: Query) => call(readAdjustmentRequests, { query }),
      make: (body: Adjustment & Because) => call(makeAdjustment, { body }),
      approve: (id: string, body: Because) => call(approveAdjustment, { ...withId(id), body }),
      decline: (id: string, body: Because) => call(declineAdjustment, { ...withId(id), body }),
    },
    heldReferrals: {
      list: (query: Query) => call(readHeldReferrals, { query }),
      read: (id: string) => call(readHeldReferral, withId(id)),
      release: (id: string, body: Because) => call(releaseHeldReferral, { ...withId(id), body }),
      refuse: (id: string, body: Because) => call(refuseHeldReferral, { ...withId(id), body }),
    },
    legal: {
      list: () => call(readLegalDrafts, {}),
      editing: (document: string) => call(readLegalEditing, byDocument(document)),
      save: (document: string, body: LegalDraftInput & Because) =>
        call(saveLegalDraft, { ...byDocument(document), body }),
      discard: (document: string, body: { revision: number } & Because) =>
        call(discardLegalDraft, { ...byDocument(document), body }),
      publish: (document: string, body: { revision: number } & Because) =>
        call(publishLegalDraft, { ...byDocument(document), body }),
    },
    backgroundJobs: {
      list: (query: Query) => call(readBackgroundJobs, { query }),
      retry: (body: BackgroundJobName & Because) => call(retryBackgroundJob, { body }),
      retryLetters: (body: Because) => call(retryLetters, { body }),
      removeLetter: (body: { key: string } & Because) => call(removeLetter, { body }),
    },
    webhooks: {
      list: () => call(readWebhooks, {}),
      incoming: () => call(readIncomingWebhooks, {}),
      deliveries: (id: string, query: Query) => call(readDeliveries, { ...withId(id), query }),
      /** The response contains the secret. Rejects with CONFLICT for a key that was sent before. */
      add: (body: NewWebhook & Because) => call(addWebhook, { body }),
      /**
       * The response contains the new secret. Rejects with CONFLICT if the secret to replace is no longer the current
       * one.
       */
      rotate: (id: string, body: Rotation & Because) => call(rotateWebhook, { ...withId(id), body }),
      replay: (id: string, body: Replay & Because) => call(replayWebhook, { ...withId(id), body }),
      pause: (id: string, body: Because) => call(pauseWebhook, { ...withId(id), body }),
      resume: (id: string, body: Because) => call(resumeWebhook, { ...withId(id), body }),
      remove: (id: string, body: Because) => call(removeWebhook, { ...withId(id), body }),
    },
    chainJobs: {
      list: (query: Query) => call(readChainJobs, { query }),
      read: (id: string) => call(readChainJob, withId(id)),
      retry: (id: string, body: Because) => call(retryChainJob, { ...withId(id), body }),
    },
  };
}
