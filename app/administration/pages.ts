import { matchRoutes } from "react-router";
import { adjustmentsPage } from "./adjustments/adjustments.page.tsx";
import { administratorsPage } from "./administrators/administrators.page.tsx";
import { auditLogPage } from "./audit-log/audit-log.page.tsx";
import { incidentsPage } from "./incidents/incidents.page.tsx";
import { entriesPage } from "./members/entries.page.tsx";
import { memberPage } from "./members/member.page.tsx";
import { membersPage } from "./members/members.page.tsx";
import { overviewPage } from "./overview/overview.page.tsx";
import { chainJobPage } from "./background-work/chain-job.page.tsx";
import { chainJobsPage } from "./background-work/chain-jobs.page.tsx";
import { backgroundJobsPage, mailPage } from "./background-work/queue.page.tsx";
import { campaignPage } from "./campaigns/campaign.page.tsx";
import { campaignsPage } from "./campaigns/campaigns.page.tsx";
import { completionsPage } from "./campaigns/completions.page.tsx";
import { legalDocumentPage } from "./legal/legal-document.page.tsx";
import { legalPage } from "./legal/legal.page.tsx";
import type { AdminPage } from "./page.ts";
import { heldReferralPage } from "./referrals/held-referral.page.tsx";
import { heldReferralsPage } from "./referrals/held-referrals.page.tsx";
import { webhookPage } from "./webhooks/webhook.page.tsx";
import { webhooksPage } from "./webhooks/webhooks.page.tsx";

/** All pages of the administration. The navigation lists its pages in this order. */
export const ADMIN_PAGES: readonly AdminPage[] = [
  overviewPage,
  membersPage,
  memberPage,
  entriesPage,
  campaignsPage,
  campaignPage,
  completionsPage,
  adjustmentsPage,
  heldReferralsPage,
  heldReferralPage,
  legalPage,
  legalDocumentPage,
  chainJobsPage,
  chainJobPage,
  mailPage,
  backgroundJobsPage,
  webhooksPage,
  webhookPage,
  incidentsPage,
  auditLogPage,
  administratorsPage,
];

export const ADMIN_ROOT = "/admin";

export const hrefOf = ({ path }: Pick<AdminPage, "path">): string => (path ? `${ADMIN_ROOT}/${path}` : ADMIN_ROOT);

const ROUTES = ADMIN_PAGES.map((page) => ({ path: hrefOf(page), page }));

/** Finds the page for a pathname and the parameters in it. Returns undefined if there is none. */
export function findPage(pathname: string): { page: AdminPage; params: Record<string, string> } | undefined {
  const match = matchRoutes(ROUTES, pathname)?.[0];
  if (!match) return undefined;
  const params = Object.entries(match.params).flatMap(([name, value = ""]): [string, string][] => [[name, value]]);
  return { page: match.route.page, params: Object.fromEntries(params) };
}
