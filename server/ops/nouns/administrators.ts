import * as z from "zod";
import { OPERATOR } from "../../administration/actor.ts";
import { addAdministrator, readAdministrators, removeAdministrator } from "../../administration/service.ts";
import { oneMember } from "./one-member.ts";
import { changing, reading, type Noun } from "../operation.ts";

export const administrators: Noun = {
  summary: "who the administrators are",
  verbs: {
    add: changing({
      ...oneMember,
      summary: "makes a member an administrator",
      change: addAdministrator,
      describe: ({ email, changed }) => [
        changed ? `${email} is now an administrator.` : `${email} was already an administrator.`,
      ],
    }),
    remove: changing({
      ...oneMember,
      summary: "takes the role away at once, also in open sessions",
      change: removeAdministrator,
      describe: ({ email, changed }) => [
        changed ? `${email} is no longer an administrator.` : `${email} was not an administrator.`,
      ],
    }),
    list: reading({
      usage: "",
      summary: "lists them, with since when and by whom",
      input: z.object({}),
      read: (deps) => readAdministrators(deps, OPERATOR),
      describe: (list) => [
        ...list.map(
          ({ id, email, since, addedBy, addedByEmail }) =>
            `${id}  ${email}  since ${since}  by ${addedByEmail ?? addedBy ?? "the operator"}`,
        ),
        list.length === 0 ? "There are no administrators." : `${list.length} in all.`,
      ],
    }),
  },
};
