import * as z from "zod";
import { MemberName } from "../../administration/contract.ts";
import { endEverySession, endSessionsOf } from "../../sessions/service.ts";
import { changing, type Noun } from "../operation.ts";

export const sessions: Noun = {
  summary: "where members are signed in",
  verbs: {
    end: changing({
      usage: "<email or id>",
      summary: "signs a member out everywhere",
      words: ["member"],
      input: z.object({ member: MemberName }),
      change: endSessionsOf,
      describe: ({ email, ended }) => [
        ended === 0 ? `${email} is signed in nowhere.` : `${email} is signed out on ${count(ended, "device")}.`,
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
          : `${count(members, "member")} ${members === 1 ? "is" : "are"} signed out.`,
      ],
    }),
  },
};

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? "" : "s"}`;
