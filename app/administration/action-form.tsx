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
  /** Tells apart the forms of a page that have the same intent, for example by the id of their row. */
  about?: string;
  /** Hidden fields to send as well. */
  hidden?: Partial<Record<keyof Fields & string, string>>;
  /**
   * Hidden fields that say which state of the page the administrator saw. A form that comes back keeps them as they
   * were sent, unless they are outdated.
   */
  seen?: Partial<Record<keyof Fields & string, string>>;
  defaults?: Partial<Record<keyof Fields & string, string | null>>;
  /** The label of its button. */
  submit: string;
  /** Says why we ask for a reason, where that is not clear. */
  reasonHint?: string;
  /** Renders the form's own fields. `field` returns the props of each. */
  children?: (field: (name: keyof Fields & string) => CheckedField) => ReactNode;
};

/**
 * Renders the form of an administrator's action: its own fields, the reason, and a box to tick if the action cannot be
 * undone. A form that was refused comes back with what was typed and an error beside each field.
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

/** Returns these fields as they were sent. A field that was sent empty is missing from `initialValue`. */
const keepSeen = (seen: object, { result }: Returned) =>
  Object.fromEntries(
    Object.keys(seen).map((name) => {
      const sent = result.initialValue?.[name];
      return [name, typeof sent === "string" ? sent : ""];
    }),
  );

const REASON_HINT = "Kept in the audit log for good.";

/** The hint for actions on members: their data includes the log's entries about them. */
export const MEMBER_HINT = "Kept in the audit log for good. Members see it in the data they can download.";

/** Returns whether this form is the one that came back. If it is, the fold around it is open. */
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

/** Renders a multi-line text field. It is required unless `isOptional` is set. */
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
  /** What the form acts on, where a page has several such forms. */
  about?: string;
  isOpen: boolean;
  children: ReactNode;
};

/** Renders a form that stays folded away until somebody opens it or it comes back. */
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
