import { accountDataApi } from "./account-data/api.ts";
import { adjustmentsApi } from "./adjustments/api.ts";
import { asAdministrator } from "./administration/actor.ts";
import { administrationApi } from "./administration/api.ts";
import { requireRole } from "./administration/service.ts";
import { accountApi } from "./auth/api.ts";
import { openAuthProvider } from "./auth/provider/open.ts";
import { backgroundWorkApi } from "./background-work/api.ts";
import type { Deps } from "./deps.ts";
import { campaignMailApi } from "./campaign-mail/api.ts";
import { emailChangeApi } from "./email-change/api.ts";
import { campaignsApi } from "./campaigns/api.ts";
import { agentInsightsApi } from "./agent-insights/api.ts";
import { freshPasswordApi } from "./fresh-password/api.ts";
import { heartbeatsApi } from "./heartbeats/api.ts";
import type { Gate, RestrictedAccess } from "./http/handle-call.ts";
import { explainError } from "./http/explain-error.ts";
import { mountRoutes } from "./http/mount-routes.ts";
import { describeApi } from "./http/openapi.ts";
import { onlyRead } from "./http/middleware/only-read.ts";
import { serveDocument } from "./http/serve-document.ts";
import { openReads } from "./http/read-in-process.ts";
import { liveApi } from "./live/api.ts";
import { legalApi } from "./legal/api.ts";
import { machineIdApi } from "./machine-id/api.ts";
import { memberAdministrationApi } from "./member-administration/api.ts";
import { networkApi } from "./network/api.ts";
import { nodePassApi } from "./node-pass/api.ts";
import { onboardingApi } from "./onboarding/api.ts";
import { pointsApi } from "./points/api.ts";
import { profileApi } from "./profile/api.ts";
import { referralsApi } from "./referrals/api.ts";
import { rewardsApi } from "./rewards/api.ts";
import { securityActivityApi } from "./security-activity/api.ts";
import { sessionsApi } from "./sessions/api.ts";
import { silenceMailApi } from "./silence-mail/api.ts";
import { runAfterOwnWrites } from "./sessions/own-writes.ts";
import { authenticate } from "./sessions/service.ts";
import { incidentsApi, statusApi } from "./status/api.ts";
import { walletApi } from "./wallet/api.ts";
import { webhooksApi } from "./webhooks/api.ts";
import { whitelistApi } from "./whitelist/api.ts";
import { createRuleBook } from "./points/rules.ts";
import { EARNING_RULES, readFigures } from "./earning-rules.ts";
import { createNodeAdmission } from "./heartbeats/refused-beats.ts";

/**
 * The API's table of contents. Returns every endpoint, by feature, and the document that describes them: as an HTTP
 * app, and as in-process reads for pages.
 */
export function createApi(deps: Deps) {
  const provider = openAuthProvider(deps);
  const routes = [
    ...accountApi(deps, provider),
    ...sessionsApi(deps, provider),
    ...securityActivityApi(deps),
    ...emailChangeApi(deps, provider),
    ...campaignMailApi(deps),
    ...profileApi(deps),
    ...accountDataApi(deps, provider),
    ...onboardingApi(deps),
    ...legalApi(deps),
    ...pointsApi(deps, { describe: createRuleBook(EARNING_RULES), figures: readFigures(deps.env) }),
    ...heartbeatsApi(deps),
    ...silenceMailApi(deps),
    ...agentInsightsApi(deps),
    ...referralsApi(deps),
    ...rewardsApi(deps),
    ...liveApi(deps),
    ...walletApi(deps),
    ...machineIdApi(deps),
    ...nodePassApi(deps),
    ...administrationApi(deps),
    ...freshPasswordApi(deps, provider),
    ...memberAdministrationApi(deps, provider),
    ...networkApi(deps),
    ...whitelistApi(deps),
    ...campaignsApi(deps),
    ...adjustmentsApi(deps),
    ...backgroundWorkApi(deps),
    ...webhooksApi(deps),
    ...statusApi(deps),
    ...incidentsApi(deps),
  ];
  const admission = { ...deps, refresh: provider.refresh, admitNode: createNodeAdmission(deps) };
  async function admit(credential: string, access: RestrictedAccess) {
    const caller = await authenticate(admission, credential, access === "node" ? "node" : "member");
    if (access === "administrator") await requireRole(deps.db, asAdministrator(caller));
    return caller;
  }
  const gate: Gate = {
    authenticate: admit,
    authApiKeys: [deps.env.authApiKey ?? [], deps.env.otherAuthApiKey ?? []].flat(),
    answer: (endpoint, caller, work) => runAfterOwnWrites(deps, { endpoint, caller }, work),
    explain: (error, log = deps.log, attempt) => explainError(error, log, attempt),
  };
  const http = mountRoutes(routes, gate);
  const describe = () => describeApi(routes.map(({ endpoint }) => endpoint));
  http.all("/api/openapi.json", onlyRead, serveDocument(describe));
  return { http, read: openReads(routes, gate) };
}
