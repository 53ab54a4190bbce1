import type { PageDescription } from "../page/page-description.ts";
import { readDashboardView } from "../points/log-view.ts";
import { dashboardReads } from "./reads.ts";

export const dashboardPage = {
  path: "/dashboard",
  title: "Dashboard",
  audience: "member",
  navigation: { icon: "dashboard", words: "home points" },
  outline: [[["h-29"]], [["h-104"], ["h-104"]], [["h-104"], ["h-54", "h-44.5", "h-58"]]],
  reads: (read, params) => dashboardReads(read, readDashboardView(params).view),
} satisfies PageDescription;
