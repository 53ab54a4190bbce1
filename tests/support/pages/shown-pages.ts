import type { RouteConfigEntry } from "@react-router/dev/routes";
import routes from "../../../app/routes.ts";

/** What the route of all other addresses shows, by one that nobody will ever give to a page. */
const NO_SUCH_PAGE = "/no-such-page";

/** The pages of the administration, which one route shows: those that have an address without an id in it. */
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

/** The address of every page, by the table of routes: without what its pattern leaves open, such as a version. */
export const SHOWN_PAGES: readonly string[] = listPages(routes);

/** The same, with the pages of the administration in the place of their route. */
export const PAGE_ADDRESSES: readonly string[] = SHOWN_PAGES.flatMap((page) =>
  page === "/admin/*" ? ADMINISTRATION_PAGES : page,
);

/** A route's file says whether it shows something: the others answer with data, or lead elsewhere. */
function listPages(entries: RouteConfigEntry[]): string[] {
  return entries.flatMap(({ children, file, path = "" }) => {
    if (children) return listPages(children);
    if (!file.endsWith(".route.tsx")) return [];
    return path === "*" ? [NO_SUCH_PAGE] : [`/${path.replace(/\/:\w+\?$/, "")}`];
  });
}
