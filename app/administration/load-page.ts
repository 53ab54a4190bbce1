import type { SubmissionResult } from "@conform-to/dom";
import { createContext, data } from "react-router";
import type { AdministratorStanding } from "../../server/fresh-password/contract.ts";
import { ApiError } from "../api/api-error.ts";
import { isMissing } from "../api/missing-calls.ts";
import { apiContext, sessionContext, type RequestArgs } from "../page/context.ts";
import { consumeDraft, type Draft, type DraftFields } from "../page/draft.ts";
import { loadForMember } from "../page/member-page.ts";
import { requestContext } from "../page/request-context.ts";
import { FORM_ABOUT, FORM_INTENT } from "./form-fields.ts";
import type { AdminCall, Returned } from "./page.ts";
import { ADMIN_ROOT, findPage } from "./pages.ts";

/** Whether the session had ended before this request's form was sent, which is then shown again. */
export const endedContext = createContext(false);

type Place = { pathname: string; search: string };

/** What an administrator's page shows: its content, or why there is none. */
export type Loaded = { place: Place } & (
  | { kind: "page"; administrator: AdministratorStanding; content: unknown; returned: Returned | undefined }
  /** The password was entered too long ago. */
  | { kind: "password"; administrator: AdministratorStanding }
  /** There is no such page, or its subject does not exist or no longer exists. */
  | { kind: "missing"; administrator: AdministratorStanding }
  /** The backend has no administration. */
  | { kind: "elsewhere" }
  /** The session ended before a form was sent. */
  | { kind: "ended" }
);

/**
 * Loads a page for an administrator. Leads to sign-in without a session, unless a form of this request is shown again.
 * Throws errors that the page's error boundary explains.
 */
export async function loadPage(args: RequestArgs) {
  const place = { pathname: args.url.pathname, search: args.url.search };
  if (args.context.get(endedContext)) return data<Loaded>({ kind: "ended", place });
  return loadForMember(args, () => loadContent(args, place));
}

async function loadContent({ context, request, url }: RequestArgs, place: Place) {
  const { administration: api } = context.get(apiContext);
  const found = findPage(url.pathname);
  if (found) context.get(requestContext).onRoute?.(`${ADMIN_ROOT}/${found.page.path}`.replace(/\/$/, ""));

  const administrator = await api.standing();
  if (!administrator) return data<Loaded>({ kind: "elsewhere", place }, { status: 404 });
  if (!found) return data<Loaded>({ kind: "missing", place, administrator }, { status: 404 });
  if (administrator.passwordUntil === null) return requestPassword(place, administrator);
  const call: AdminCall = { api, params: found.params, query: url.searchParams };
  try {
    const content: unknown = await found.page.load(call);
    const draft = await consumeDraft({ context, request, url }, context.get(sessionContext).session?.userId);
    const returned = draft.fields ? returnDraft(draft.fields, draft.lists) : undefined;
    return data<Loaded>({ kind: "page", place, administrator, content, returned }, { headers: draft.headers });
  } catch (error) {
    // The password may have become too old since `standing` was read.
    if (isPasswordRequired(error)) return requestPassword(place, administrator);
    if (isMissing(error) || isMistyped(error)) {
      return data<Loaded>({ kind: "missing", place, administrator }, { status: 404 });
    }
    throw error;
  }
}

const requestPassword = (place: Place, administrator: AdministratorStanding) =>
  data<Loaded>({ kind: "password", place, administrator }, { status: 403 });

export const isPasswordRequired = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "PASSWORD_REQUIRED";

/**
 * Returns whether the address is mistyped: none of our links leads to an invalid one. What a gateway says instead of
 * the API has the same code, but says nothing about the address.
 */
const isMistyped = (error: unknown) =>
  error instanceof ApiError &&
  error.fromServer &&
  error.code === "VALIDATION_ERROR" &&
  [400, 422].includes(error.status);

function returnDraft(kept: DraftFields, lists: Draft["lists"]) {
  const { [FORM_INTENT]: intent = "", [FORM_ABOUT]: about = "", ...fields } = kept;
  const result: SubmissionResult = { initialValue: { ...fields, ...lists } };
  return { intent, about, result, asSeen: true };
}
