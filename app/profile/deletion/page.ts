import { userQuery } from "../../member/reads.ts";
import type { PageDescription } from "../../page/page-description.ts";
import { DELETE_ACCOUNT } from "../profile-view.ts";

export const deleteAccountPage = {
  path: DELETE_ACCOUNT,
  title: "Delete account",
  audience: "member",
  reads: (read) => [userQuery(read)] as const,
} satisfies PageDescription;
