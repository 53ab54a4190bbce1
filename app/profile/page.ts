import type { PageDescription } from "../page/page-description.ts";
import { PROFILE, readProfileView } from "./profile-view.ts";
import { profileReads } from "./reads.ts";

export const profilePage = {
  path: PROFILE,
  title: "Profile",
  audience: "member",
  navigation: { icon: "person", words: "account email password sessions settings" },
  outline: [[["h-115.75"]], [["h-90"]], [["h-104"]]],
  hasContents: true,
  reads: (read, params) => profileReads(read, readProfileView(params)),
} satisfies PageDescription;
