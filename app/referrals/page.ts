import type { PageDescription } from "../page/page-description.ts";
import { referralsReads } from "./reads.ts";
import { readReferralsView } from "./referrals-view.ts";

export const referralsPage = {
  path: "/referrals",
  title: "Your Referrals",
  audience: "member",
  navigation: { icon: "friend", label: "Referrals", words: "friends invite" },
  outline: [[["h-29"]], [["h-70.5"]], [["h-104"]]],
  reads: (read, params) => referralsReads(read, readReferralsView(params)),
} satisfies PageDescription;
