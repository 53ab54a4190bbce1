import type { PageDescription } from "../page/page-description.ts";

export const statusPage = { path: "/status", title: "Status", audience: "anyone" } satisfies PageDescription;
