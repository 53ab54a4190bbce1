import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { acceptDocument, readLegalDocument, readPrivacyStatus, readTermsStatus } from "./service.ts";

export const legalApi = (deps: Deps): Route[] => [
  route(contract.readLegalDocument, async ({ query }) => readLegalDocument(deps, query)),
  route(contract.readTermsStatus, ({ caller }) => readTermsStatus(deps, caller.userId)),
  route(contract.acceptTerms, ({ caller, query }) => acceptDocument(deps, caller.userId, "tos", query)),
  route(contract.readPrivacyStatus, ({ caller }) => readPrivacyStatus(deps, caller.userId)),
  route(contract.acceptPrivacy, ({ caller, query }) => acceptDocument(deps, caller.userId, "pp", query)),
];
