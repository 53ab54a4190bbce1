import type { ReactNode } from "react";
import { FormAlert } from "../forms/form-notice.tsx";
import { useCheckedForm, type CheckedField } from "../forms/use-checked-form.ts";
import { MEMBER_FIELD } from "../session/member-field.ts";
import { About } from "../ui/about.tsx";
import { Button } from "../ui/controls/button.tsx";
import { CheckboxField } from "../ui/controls/checkbox-field.tsx";
import { Field } from "../ui/controls/field.tsx";
import { FORM_ABOUT, FORM_INTENT } from "./form-fields.ts";
import type { AdminForm, Returned, Shown } from "./page.ts";
import { CONFIRM, REASON } from "./reason.ts";

type ActionFormProps<Fields extends object> = {
  form: AdminForm<Fields>;
  shown: Shown;
  /** Which of several forms of a page that are alike, such as the id of their row. */
  about?: string;
  /** Fields that are sent besides, and that nobody types into. */
  hidden?: Partial<Record<keyof Fields & string, string>>;
  /** Likewise, fields that say which state of the page was seen: a form that comes back keeps them, unless outdated. */
  seen?: Partial<Record<keyof Fields & string, string>>;
  defaults?: Partial<Record<keyof Fields & string, string | null>>;
  /** The words of its button. */
  submit: string;
  /** Says why a reason is asked for, where that is not clear. */
  reasonHint?: string;
  /** Its own fields, each given what belongs to it. */
  children?: (field: (name: keyof Fields & string) => CheckedField) => ReactNode;
};

/**
 * Something an administrator does: its fields, why it is done, and, where it cannot be undone, a box to tick. Refused,
 * it comes back with what was typed, and says what is wrong beside each field.
 */
export function ActionForm<Fields extends object>({ form, shown, about = "", ...props }: ActionFormProps<Fields>) {
  const { hidden = {}, seen = {}, defaults, submit, reasonHint, children } = props;
  const returned = isReturned(shown, form, about) ? shown.returned : undefined;
  const id = about ? `${form.intent}-${about}` : form.intent;
  const { errors, field } = useCheckedForm<Record<string, unknown>>({
    id,
    lastResult: returned?.result,
    ...(defaults && { defaultValue: defaults }),
  });
  const reason = field(REASON);
  const confirmed = field(CONFIRM);
  return (
    <form
      id={id}
      method="post"
      action={shown.url.pathname + shown.url.search}
      encType={form.files ? "multipart/form-data" : undefined}
      className="grid gap-4"
    >
      <FormAlert errors={errors} retryAt={returned?.retryAt} />
      <input type="hidden" name={FORM_INTENT} value={form.intent} />
      {about && <input type="hidden" name={FORM_ABOUT} value={about} />}
      <input type="hidden" name={MEMBER_FIELD} value={shown.administrator.id} />
      {Object.entries<string | undefined>({ ...hidden, ...(returned?.asSeen ? keepSeen(seen, returned) : seen) }).map(
        ([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ),
      )}
      {children?.(field)}
      <TextArea {...reason} label="Reason" hint={reasonHint ?? REASON_HINT} maxLength={500} rows={2} />
      {form.confirm && (
        <CheckboxField id={confirmed.id} name={confirmed.name} label={form.confirm} errors={confirmed.errors} />
      )}
      <div>
        <Button type="submit" variant={form.confirm ? "pulse" : "ink"}>
          {submit}
        </Button>
      </div>
    </form>
  );
}

/** These fields as they were sent. One that was sent empty is missing among the values that come back. */
const keepSeen = (seen: object, { result }: Returned) =>
  Object.fromEntries(
    Object.keys(seen).map((name) => {
      const sent = result.initialValue?.[name];
      return [name, typeof sent === "string" ? sent : ""];
    }),
  );

const REASON_HINT = "Kept in the audit log for good.";

/** Of what is done about members: the log's entries about them are in their data. */
export const MEMBERS_SEE = "Kept in the audit log for good. Members see it in the data they can download.";

/** Whether a form is the one that came back: what it is folded into is open then. */
export const isReturned = ({ returned }: Shown, { intent }: Pick<AdminForm, "intent">, about = ""): boolean =>
  returned?.intent === intent && returned.about === about;

type TextAreaProps = CheckedField & {
  label: string;
  hint?: string;
  rows: number;
  maxLength: number;
  isOptional?: boolean;
  className?: string;
};

/** A field of several lines, which has to be filled in unless it says otherwise. */
export function TextArea({ label, hint, id, errors, isOptional = false, className = "", ...area }: TextAreaProps) {
  return (
    <Field id={id} label={label} errors={errors} {...(hint && { hint })}>
      {(control) => (
        <textarea
          {...control}
          {...area}
          required={!isOptional}
          className={`${control.className} admin-area ${className}`.trimEnd()}
        />
      )}
    </Field>
  );
}

type FoldedProps = {
  title: string;
  /** What it is done to, where a page has several of them. */
  about?: string;
  isOpen: boolean;
  children: ReactNode;
};

/** A form that is folded away until somebody wants it, or it comes back. */
export function Folded({ title, about, isOpen, children }: FoldedProps) {
  return (
    <details open={isOpen} className="admin-fold">
      <summary>
        {title}
        {about && <About>{about}</About>}
      </summary>
      {children}
    </details>
  );
}
