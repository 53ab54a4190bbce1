import * as z from "zod";
import { deleteAgain, findRestoredMembers } from "../../account-data/delete-again.ts";
import { readDeleted } from "../backup/read-deleted.ts";
import { changing, reading, WrongUse, type Home, type Noun } from "../operation.ts";

const afterRestore = {
  usage: "--kept <folder or schema>",
  options: { kept: "text" },
  input: z.object({ deleted: z.array(z.uuid()) }),
  async prepare({ kept }: Record<string, unknown>, settings: Home["settings"]) {
    if (typeof kept !== "string" || kept === "")
      throw new WrongUse("Say what the restore kept, with --kept <folder or schema>.");
    return { deleted: await readDeleted(kept, settings) };
  },
} as const;

const NOBODY = "No deleted account is there again.";

/** What an operator can do about accounts that a restore brought back. */
export const returnedVerbs: Noun["verbs"] = {
  returned: reading({
    ...afterRestore,
    summary: "lists members who are there again since a restore, though their accounts were deleted after the backup",
    read: (deps, { deleted }) => findRestoredMembers(deps, deleted),
    describe: (list) => [
      ...list.map(({ id, email, isDue }) => `${id}  ${email}${isDue ? "  is being deleted" : ""}`),
      list.length === 0 ? NOBODY : `${list.length} in all.`,
    ],
  }),
  "delete-again": changing({
    ...afterRestore,
    summary: "deletes their accounts again, without days of grace",
    change: (deps, act, { deleted }) => deleteAgain(deps, act, deleted),
    describe: (list) => [
      ...list.map(({ email, changed }) => `${email}  ${changed ? "done" : "was being deleted already"}`),
      list.length === 0
        ? NOBODY
        : "A running server deletes them within a minute or two. If one stays, look at `jobs list`.",
    ],
  }),
};
