import { userQuery } from "../../member/reads.ts";
import type { PageDescription } from "../../page/page-description.ts";
import { CHANGE_EMAIL } from "../profile-view.ts";

export const changeEmailPage = {
  path: CHANGE_EMAIL,
  title: "Change email",
  audience: "member",
  reads: (read) => [userQuery(read)] as const,
} satisfies PageDescription;
