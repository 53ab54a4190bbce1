import type { LoaderFunctionArgs } from "react-router";
import { getPageReads } from "../api/page-reads.ts";
import { userQuery } from "../api/queries.ts";
import { loadForMember } from "./member-page.ts";

/** The loader of a page that has no data of its own: asks the API whether the session still holds. */
export async function guardMember({ context, url }: Pick<LoaderFunctionArgs, "context" | "url">): Promise<null> {
  return loadForMember({ context, url }, async () => {
    const reads = getPageReads(context);
    await reads.get(userQuery(reads.read));
    return null;
  });
}
