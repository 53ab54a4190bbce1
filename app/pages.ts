import { insightsPage } from "./agent-insights/page.ts";
import { dashboardPage } from "./dashboard/page.ts";
import { faqsPage } from "./faqs/page.ts";
import { privacyPage, termsPage } from "./legal/page.ts";
import { campaignMailPage, nodeMailPage } from "./mail-off/page.ts";
import type { PageDescription } from "./page/page-description.ts";
import { deleteAccountPage } from "./profile/deletion/page.ts";
import { changeEmailPage } from "./profile/email/page.ts";
import { profilePage } from "./profile/page.ts";
import { statusPage } from "./status/page.ts";
import { referralsPage } from "./referrals/page.ts";
import { rewardsPage } from "./rewards/page.ts";

/**
 * Every page within the shell, for its frame. Those of the navigation are in its order (product specification, section
 * 2).
 */
export const PAGES: readonly PageDescription[] = [
  dashboardPage,
  insightsPage,
  rewardsPage,
  referralsPage,
  profilePage,
  faqsPage,
  changeEmailPage,
  deleteAccountPage,
  nodeMailPage,
  campaignMailPage,
  termsPage,
  privacyPage,
  statusPage,
];
