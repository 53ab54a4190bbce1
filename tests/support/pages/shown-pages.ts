import type { RouteConfigEntry } from "@react-router/dev/routes";
import routes from "../../../app/routes.ts";

/** An address that no page will ever have, for the catch-all route. */
const NO_SUCH_PAGE = "/no-such-page";

/** The pages of the administration, which share one route: those whose address contains no id. */
export const ADMINISTRATION_PAGES: readonly string[] = [
  "/admin",
  "/admin/members",
  "/admin/campaigns",
  "/admin/completions",
  "/admin/adjustments",
  "/admin/referrals",
  "/admin/legal",
  "/admin/legal/pp",
  "/admin/chain-jobs",
  "/admin/mail",
  "/admin/background-jobs",
  "/admin/webhooks",
  "/admin/incidents",
  "/admin/audit",
  "/admin/administrators",
];

/** The address of every page in the table of routes, without optional parts such as a version. */
export const SHOWN_PAGES: readonly string[] = listPages(routes);

/** The same, with the pages of the administration instead of their route. */
export const PAGE_ADDRESSES: readonly string[] = SHOWN_PAGES.flatMap((page) =>
  page === "/admin/*" ? ADMINISTRATION_PAGES : page,
);

/** Lists the routes that show a page, as their files' names say. Others respond with data, or redirect. */
function listPages(entries: RouteConfigEntry[]): string[] {
  return entries.flatMap(({ children, file, path = "" }) => {
    if (children) return listPages(children);
    if (!file.endsWith(".route.tsx")) return [];
    return path === "*" ? [NO_SUCH_PAGE] : [`/${path.replace(/\/:\w+\?$/, "")}`];
  });
}
