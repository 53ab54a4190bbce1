import { asAdministrator, by } from "../administration/actor.ts";
import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { discardDraft, publishDraft, readDrafts, readEditing, saveDraft } from "./drafts.ts";
import { acceptDocument, readLegalDocument, readPrivacyStatus, readTermsStatus, type DocumentDeps } from "./service.ts";

/** The routes of the documents themselves, the same for everybody. */
export const documentsApi = (deps: DocumentDeps): Route[] => [
  route(contract.readLegalDocument, ({ query }) => readLegalDocument(deps, query)),
];

export const legalApi = (deps: Deps): Route[] => [
  ...documentsApi(deps),
  route(contract.readTermsStatus, ({ caller }) => readTermsStatus(deps, caller.userId)),
  route(contract.acceptTerms, ({ caller, query }) => acceptDocument(deps, caller.userId, "tos", query)),
  route(contract.readPrivacyStatus, ({ caller }) => readPrivacyStatus(deps, caller.userId)),
  route(contract.acceptPrivacy, ({ caller, query }) => acceptDocument(deps, caller.userId, "pp", query)),
  ...draftsApi(deps),
];

/** The routes with which administrators write, preview and publish new versions. */
const draftsApi = (deps: Deps): Route[] => [
  route(contract.readLegalDrafts, ({ caller }) => readDrafts(deps, asAdministrator(caller))),
  route(contract.readLegalEditing, ({ caller, params }) => readEditing(deps, asAdministrator(caller), params)),
  route(contract.saveLegalDraft, ({ body: { reason, ...draft }, caller, params }) =>
    saveDraft(deps, by(caller, reason), { ...params, ...draft }),
  ),
  route(contract.discardLegalDraft, ({ body: { reason, revision }, caller, params }) =>
    discardDraft(deps, by(caller, reason), { ...params, revision }),
  ),
  route(contract.publishLegalDraft, ({ body: { reason, revision }, caller, params }) =>
    publishDraft(deps, by(caller, reason), { ...params, revision }),
  ),
];
