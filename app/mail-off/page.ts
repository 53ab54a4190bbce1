import type { PageDescription } from "../page/page-description.ts";

export const nodeMailPage = { path: "/node-mail", title: "Node Mail", audience: "anyone" } satisfies PageDescription;

export const campaignMailPage = {
  path: "/campaign-mail",
  title: "Campaign Mail",
  audience: "anyone",
} satisfies PageDescription;
