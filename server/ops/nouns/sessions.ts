import * as z from "zod";
import { MemberName } from "../../administration/contract.ts";
import { endEverySession, endSessionOf, endSessionsOf, readSessionsOf } from "../../sessions/operating.ts";
import { formatCount } from "../../format-count.ts";
import { oneMember } from "./one-member.ts";
import { changing, reading, type Noun } from "../operation.ts";

export const sessions: Noun = {
  summary: "where members are signed in",
  verbs: {
    list: reading({
      ...oneMember,
      summary: "lists where a member is signed in, the latest used first",
      read: readSessionsOf,
      describe: (list) => [
        ...list.map(
          ({ id, device, network, createdAt, lastSeenAt }) =>
            `${id}  ${device}  ${network ?? "unknown network"}  since ${createdAt}  last used ${lastSeenAt}`,
        ),
        list.length === 0 ? "Not signed in anywhere." : `Signed in on ${formatCount(list.length, "device")}.`,
      ],
    }),
    revoke: changing({
      usage: "<email or id> <id of a session>",
      summary: "signs a member out on one device",
      words: ["member", "id"],
      input: z.object({
        member: MemberName,
        id: z.uuid("Name a session by its id, as sessions list shows it.").toLowerCase(),
      }),
      change: endSessionOf,
      describe: ({ email }) => [`${email} is signed out on that device.`],
    }),
    end: changing({
      ...oneMember,
      summary: "signs a member out everywhere",
      change: endSessionsOf,
      describe: ({ email, ended }) => [
        ended === 0
          ? `${email} is not signed in anywhere.`
          : `${email} is signed out on ${formatCount(ended, "device")}.`,
      ],
    }),
    "end-all": changing({
      usage: "",
      summary: "signs everybody out",
      input: z.object({}),
      change: endEverySession,
      describe: ({ members }) => [
        members === 0
          ? "Nobody is signed in."
          : `${formatCount(members, "member")} ${members === 1 ? "is" : "are"} signed out.`,
      ],
    }),
  },
};
