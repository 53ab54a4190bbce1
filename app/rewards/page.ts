import type { PageDescription } from "../page/page-description.ts";
import { rewardsReads } from "./reads.ts";

export const rewardsPage = {
  path: "/rewards",
  title: "Rewards",
  audience: "member",
  navigation: { icon: "gift", words: "claim campaigns" },
  outline: [[["h-29"]], [["h-71"], ["h-40.75"]]],
  reads: rewardsReads,
} satisfies PageDescription;
