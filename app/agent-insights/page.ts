import type { PageDescription } from "../page/page-description.ts";
import { readInsightsView } from "./insights-view.ts";
import { insightsReads } from "./reads.ts";

export const insightsPage = {
  path: "/agentinsights",
  title: "Agent Insights",
  audience: "member",
  navigation: { icon: "chart", words: "jobs data" },
  outline: [[["h-156.25"]], [["h-57.75"]], [["h-61.5"]], [["h-58"]]],
  reads: (read, params) => insightsReads(read, readInsightsView(params)),
} satisfies PageDescription;
