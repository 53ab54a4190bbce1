import * as z from "zod";
import { OPERATOR } from "../../administration/actor.ts";
import { MemberName } from "../../administration/contract.ts";
import { addAdministrator, readAdministrators, removeAdministrator } from "../../administration/service.ts";
import { changing, reading, type Noun } from "../operation.ts";

const member = { usage: "<email or id>", words: ["member"], input: z.object({ member: MemberName }) };

export const administrators: Noun = {
  summary: "members who may administer",
  verbs: {
    add: changing({
      ...member,
      summary: "makes a member an administrator",
      change: addAdministrator,
      describe: ({ email, changed }) => [changed ? `${email} is an administrator now.` : `${email} is one already.`],
    }),
    remove: changing({
      ...member,
      summary: "takes that away again, at once",
      change: removeAdministrator,
      describe: ({ email, changed }) => [changed ? `${email} is no administrator any more.` : `${email} is none.`],
    }),
    list: reading({
      usage: "",
      summary: "who they are, since when and by whom",
      input: z.object({}),
      read: (deps) => readAdministrators(deps, OPERATOR),
      describe: (list) => [
        ...list.map(
          ({ id, email, since, addedBy, addedByEmail }) =>
            `${id}  ${email}  since ${since}  by ${addedByEmail ?? addedBy ?? "the operator"}`,
        ),
        list.length === 0 ? "There is no administrator." : `${list.length} in all.`,
      ],
    }),
  },
};
