import { redirect } from "react-router";
import { apiContext, type PageContext } from "../page/context.ts";
import { logFailure } from "../page/log-failure.ts";
import { isRefusedToken } from "../page/page-reads.ts";
import { loadForMember } from "../page/member-page.ts";
import { dashboardHref, pickFilter, readDashboardView } from "./log-view.ts";
import { leaveOutcome } from "../outcome/outcome.ts";
import { TOAST } from "../outcome/toast-words.ts";
import type { Route } from "./+types/export-log.route";

/** Passes on the member's points log as a file while it arrives, filtered as in the dashboard's address. */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const { dateErrors, notices, view } = readDashboardView(url.searchParams);
  // The dashboard says what is wrong with its filter. A file with other rows than requested would not.
  const page = `/dashboard${url.search}`;
  if (notices.length > 0 || Object.keys(dateErrors).length > 0) return redirect(page);
  // A sign-in on the way leads to the page with the link, not to the file.
  return loadForMember({ context, url: new URL(page, url) }, () => passOn(context, view));
}

async function passOn(context: PageContext, view: ReturnType<typeof readDashboardView>["view"]) {
  try {
    const file = await context.get(apiContext).points.exportLog(pickFilter(view.log));
    return new Response(file.body, { headers: describeFile(file) });
  } catch (error) {
    if (isRefusedToken(error)) throw error;
    logFailure(context, error, "The points log could not be exported");
    leaveOutcome(context, TOAST, "log-unavailable");
    return redirect(dashboardHref(view), { status: 303 });
  }
}

/**
 * Takes only what a file needs from another backend's headers. Their length and encoding may not be those of what we
 * pass on.
 */
const describeFile = ({ headers }: Response) => ({
  "Content-Type": "text/csv; charset=utf-8",
  "Content-Disposition": headers.get("Content-Disposition") ?? 'attachment; filename="points-log.csv"',
  "Cache-Control": "no-store",
});
