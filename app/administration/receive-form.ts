import type { SubmissionResult } from "@conform-to/dom";
import { data, redirect, redirectDocument } from "react-router";
import { ConfirmPasswordInput } from "../../server/fresh-password/contract.ts";
import { receiveForMember, readForm, type Refused } from "../forms/receive.ts";
import { leaveOutcome } from "../outcome/outcome.ts";
import { apiContext, sessionContext, type PageArgs, type PageContext, type RequestArgs } from "../page/context.ts";
import { isForMember } from "../page/json-response.ts";
import { MEMBER_FIELD } from "../session/member-field.ts";
import { FORM_ABOUT, FORM_INTENT, PASSWORD } from "./form-fields.ts";
import { endedContext, isPasswordRequired } from "./load-page.ts";
import { ADMIN_NOTE } from "./notes.ts";
import type { AdminCall, Returned } from "./page.ts";
import { findPage } from "./pages.ts";
import { CONFIRM } from "./reason.ts";

/** The fields of a form that was sent, to send them again. */
export type Carried = [name: string, value: string][];

/** Why a form is shown again. */
export type FormResult =
  | ({ kind: "form"; /** For a page that asks for the password first. */ carried: Carried } & Returned)
  | { kind: "password"; carried: Carried; result?: SubmissionResult; retryAt?: string | undefined }
  /** The session has ended, and what was typed is too long to keep until the next one. */
  | { kind: "ended"; carried: Carried; /** Where to sign in. */ signIn: string };

/**
 * Handles a form of an administrator's page if the password was entered recently. A form that brings the password may
 * carry the fields of an earlier form, which is then handled, too.
 */
export async function receiveForm({ context, request, url }: RequestArgs) {
  const form = await readFields(request);
  const { session } = context.get(sessionContext);
  // Somebody else has signed in since the page was shown. Nothing is done on their behalf, and they see nothing of the
  // form.
  if (session && !isForMember(context, form.get(MEMBER_FIELD) ?? "")) throw redirectDocument(placeOf(url));
  const found = findPage(url.pathname);
  const api = context.get(apiContext).administration;
  const kept = {
    draftFields: Array.from(form.keys()).filter((name) => !NEVER_DRAFTED.has(name)),
    showAgain: (headers: Headers) => showEnded(context, form, headers),
  };

  if (form.has(PASSWORD)) {
    const refusal = await takePassword({ context, url }, { form, ...kept }, (password) =>
      api.confirmPassword(password),
    );
    if (refusal) return refusal;
    if (!form.has(FORM_INTENT)) return redirect(placeOf(url), 303);
  }
  const wanted = found?.page.forms?.find(({ intent }) => intent === form.get(FORM_INTENT));
  if (!found || !wanted) throw data(null, { status: found ? 400 : 404 });

  const call: AdminCall = { api, params: found.params, query: url.searchParams };
  return receiveForMember(
    { context, url },
    { form, schema: wanted.schema, ...kept },
    async (input) => {
      const done = await wanted.send(input, call);
      if ("content" in done) return showContent(form, done);
      const { note, about, to } = done;
      leaveOutcome(context, ADMIN_NOTE, note, about);
      return redirect(to ?? placeOf(url), 303);
    },
    (refused) => (isPasswordRequired(refused.error) ? requestPassword(form) : returnForm(form, refused)),
  );
}

/** When the session has ended, a form is kept until its sender signs in again, except for these fields. */
const NEVER_DRAFTED = new Set([CONFIRM, MEMBER_FIELD, PASSWORD]);

/**
 * Reads the fields of a form. Files become text, so that they can be carried along like any other field. Browsers count
 * a line break as one character for `maxLength`, but send it as two.
 */
async function readFields(request: Request): Promise<FormData> {
  const sent = await readForm(request);
  const fields = new FormData();
  for (const [name, value] of sent) {
    const text = typeof value === "string" ? value : await value.text();
    fields.append(name, text.replaceAll("\r\n", "\n"));
  }
  return fields;
}

/** Checks the password. Returns undefined if it is right, and otherwise the page that asks for it again. */
async function takePassword(
  page: PageArgs,
  sent: { form: FormData; draftFields: string[]; showAgain: (headers: Headers) => ReturnType<typeof showEnded> },
  confirm: (password: string) => Promise<unknown>,
) {
  return receiveForMember(
    page,
    { ...sent, schema: ConfirmPasswordInput },
    async ({ password }) => {
      await confirm(password);
      return undefined;
    },
    ({ status, headers, result, retryAt }) =>
      data<FormResult>({ kind: "password", carried: listFields(sent.form), result, retryAt }, { status, headers }),
  );
}

/** Returns the form to the page, which says how to sign in and send it again. */
function showEnded(context: PageContext, form: FormData, headers: Headers) {
  context.set(endedContext, true);
  const cookies = headers.getSetCookie().map((line): [string, string] => ["Set-Cookie", line]);
  const signIn = headers.get("Location") ?? "/auth";
  return data<FormResult>({ kind: "ended", carried: listFields(form), signIn }, { status: 403, headers: cookies });
}

const requestPassword = (form: FormData) =>
  data<FormResult>({ kind: "password", carried: listFields(form) }, { status: 403 });

/** The only status that means that something has changed since the page was shown. */
const CONFLICT = 409;

const returnForm = (form: FormData, { status, headers, result, retryAt }: Refused) => {
  const [intent, about] = [textOf(form, FORM_INTENT), textOf(form, FORM_ABOUT)];
  return data<FormResult>(
    { kind: "form", carried: listFields(form), intent, about, result, asSeen: status !== CONFLICT, retryAt },
    { status, headers },
  );
};

const showContent = (form: FormData, { content, values }: { content: unknown; values: Record<string, string> }) =>
  data<FormResult>({
    kind: "form",
    carried: [],
    intent: textOf(form, FORM_INTENT),
    about: textOf(form, FORM_ABOUT),
    result: { initialValue: values },
    content,
  });

/** Lists all fields except the password, which has to be entered again. */
const listFields = (form: FormData): Carried =>
  Array.from(form).flatMap(([name, value]): Carried =>
    typeof value === "string" && name !== PASSWORD ? [[name, value]] : [],
  );

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

const placeOf = ({ pathname, search }: URL) => pathname + search;
