import * as z from "zod";
import { originContext, type RequestArgs, type PageContext } from "./context.ts";
import { createCredentialCookie } from "../cookies/credential-cookie.ts";

/** How long a draft is kept: long enough to sign in again, even with an email for a new password. */
const LIFETIME_SECONDS = 60 * 60;
/** Browsers keep 4 kB of a cookie. A longer draft is not kept at all. */
const MAX_LENGTH = 3000;

const Draft = z.object({
  member: z.string().min(1),
  path: z.string(),
  fields: z.record(z.string(), z.string()),
  /** All values of a field that has several, such as ticked boxes. */
  lists: z.record(z.string(), z.array(z.string())).optional(),
});

/** What a member had typed into a form of a page when their session turned out to be over. */
export type Draft = z.infer<typeof Draft>;
export type DraftFields = Draft["fields"];

/** Picks the fields of a form that a draft keeps. Only those named: never a password, a code or a hidden token. */
export function pickFields(form: FormData, names: readonly string[]): Pick<Draft, "fields" | "lists"> {
  const typed = names.map((name): [string, string[]] => {
    const texts = form.getAll(name).flatMap((value) => (typeof value === "string" ? value : []));
    return [name, texts.filter((text) => text.trim() !== "")];
  });
  const fields = typed.flatMap(([name, [first]]): [string, string][] => (first === undefined ? [] : [[name, first]]));
  const lists = typed.filter(([, texts]) => texts.length > 1);
  return { fields: Object.fromEntries(fields), ...(lists.length > 0 && { lists: Object.fromEntries(lists) }) };
}

/** Returns whether something was typed, and it is known by whom. */
export const isWorthKeeping = ({ fields, member }: Draft): boolean => member !== "" && Object.keys(fields).length > 0;

/** Returns the `Set-Cookie` values that keep a draft: none if there is nothing to keep, or too much. */
export async function draftCookies(context: PageContext, draft: Draft): Promise<string[]> {
  if (!isWorthKeeping(draft)) return [];
  const line = await openDraftCookie(context).commit(draft);
  return line.length <= MAX_LENGTH ? [line] : [];
}

/** Returns the headers that remove a draft of another member, for when this member's pages begin. */
export async function dropOthersDraft(
  { context, request }: Pick<RequestArgs, "context" | "request">,
  member: string | undefined,
): Promise<Record<string, string>> {
  const cookie = openDraftCookie(context);
  const draft = await cookie.read(request);
  return draft && draft.member !== member ? { "Set-Cookie": await cookie.destroy() } : {};
}

/**
 * Takes the draft that a page shows in its form, once. Its fields are null if there is none for this page and member.
 */
export async function consumeDraft(
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
