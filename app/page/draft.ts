import * as z from "zod";
import { originContext, type RequestArgs, type PageContext } from "./context.ts";
import { createCredentialCookie } from "../cookies/credential-cookie.ts";

/** As long as signing in again may take, with a look into the mail for a new password. */
const LIFETIME_SECONDS = 60 * 60;
/** Browsers keep 4 kB of a cookie; what is longer is not kept at all. */
const MAX_LENGTH = 3000;

const Draft = z.object({
  member: z.string().min(1),
  path: z.string(),
  fields: z.record(z.string(), z.string()),
  /** All values of a field that has several, such as boxes that were ticked. */
  lists: z.record(z.string(), z.array(z.string())).optional(),
});

/** What a member had typed into a form of a page when their session turned out to be over. */
export type Draft = z.infer<typeof Draft>;
export type DraftFields = Draft["fields"];

/** The fields of a form that a draft keeps. Only those named: never a password, a code or a hidden token. */
export function pickFields(form: FormData, names: readonly string[]): Pick<Draft, "fields" | "lists"> {
  const typed = names.map((name): [string, string[]] => {
    const texts = form.getAll(name).flatMap((value) => (typeof value === "string" ? value : []));
    return [name, texts.filter((text) => text.trim() !== "")];
  });
  const fields = typed.flatMap(([name, [first]]): [string, string][] => (first === undefined ? [] : [[name, first]]));
  const lists = typed.filter(([, texts]) => texts.length > 1);
  return { fields: Object.fromEntries(fields), ...(lists.length > 0 && { lists: Object.fromEntries(lists) }) };
}

/** The `Set-Cookie` values that keep a draft: none when there is nothing to keep, or too much. */
export async function keepDraft(context: PageContext, draft: Draft): Promise<string[]> {
  if (!draft.member || Object.keys(draft.fields).length === 0) return [];
  const line = await openDraftCookie(context).commit(draft);
  return line.length <= MAX_LENGTH ? [line] : [];
}

/** The headers that remove another member's draft, wherever this one's pages begin. */
export async function dropOthersDraft(
  { context, request }: Pick<RequestArgs, "context" | "request">,
  member: string | undefined,
): Promise<Record<string, string>> {
  const cookie = openDraftCookie(context);
  const draft = await cookie.read(request);
  return draft && draft.member !== member ? { "Set-Cookie": await cookie.destroy() } : {};
}

/** The draft that a page shows in its form, once: null without one for this page and this member. */
export async function takeDraft(
  { context, request, url }: RequestArgs,
  member: string | undefined,
): Promise<{ fields: DraftFields | null; lists?: Draft["lists"]; headers: Record<string, string> }> {
  const cookie = openDraftCookie(context);
  const draft = await cookie.read(request);
  if (!draft || draft.member !== member || draft.path !== url.pathname) return { fields: null, headers: {} };
  return { fields: draft.fields, lists: draft.lists, headers: { "Set-Cookie": await cookie.destroy() } };
}

const openDraftCookie = (context: PageContext) =>
  createCredentialCookie({
    name: "nodebeat_draft",
    maxAge: LIFETIME_SECONDS,
    publicUrl: context.get(originContext),
    schema: Draft,
  });
