import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { acceptDocument, readLegalDocument, readPrivacyStatus, readTermsStatus } from "./service.ts";

/** The documents themselves, which are the same for everybody. */
export const documentsApi = (deps: Pick<Deps, "now">): Route[] => [
  route(contract.readLegalDocument, async ({ query }) => readLegalDocument(deps, query)),
];

export const legalApi = (deps: Deps): Route[] => [
  ...documentsApi(deps),
  route(contract.readTermsStatus, ({ caller }) => readTermsStatus(deps, caller.userId)),
  route(contract.acceptTerms, ({ caller, query }) => acceptDocument(deps, caller.userId, "tos", query)),
  route(contract.readPrivacyStatus, ({ caller }) => readPrivacyStatus(deps, caller.userId)),
  route(contract.acceptPrivacy, ({ caller, query }) => acceptDocument(deps, caller.userId, "pp", query)),
];
