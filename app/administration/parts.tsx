import type { ReactNode } from "react";
import type { Doer } from "../../server/administration/contract.ts";
import type { CheckedField } from "../forms/use-checked-form.ts";
import { Card } from "../ui/card.tsx";
import { Field } from "../ui/controls/field.tsx";
import { Select } from "../ui/controls/select.tsx";
import { Link } from "../ui/link.tsx";
import { OutcomeCard } from "../ui/outcome-card.tsx";
import { formatUtc } from "../ui/time.tsx";
import type { AdminForm, Returned, Shown } from "./page.ts";
import { REASON } from "./reason.ts";

/**
 * Formats an instant in UTC, `20 Nov 2026, 14:15 UTC`. It may be years old, and administrators are in many time zones.
 */
export const Moment = ({ at }: { at: string | null }) =>
  at === null ? (
    "–"
  ) : (
    <time dateTime={at} className="whitespace-nowrap tabular-nums">
      {formatUtc(at)}
    </time>
  );

type FactsProps = { facts: readonly (readonly [name: string, value: ReactNode])[] };

/** Lists facts about one thing, each with its name. */
export const Facts = ({ facts }: FactsProps) => (
  <dl className="admin-facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

type Named = { id: string; email: string | null };

/** Capitalizes a state of the API for display, such as `Given up`. */
export const capitalize = (state: string): string => state.charAt(0).toUpperCase() + state.slice(1);

/** Links to a member's page. A deleted account has no page, so it links to its entries in the audit log. */
export const MemberLink = ({ member: { id, email } }: { member: Named }) => (
  <Link to={email === null ? `/admin/audit?about=${id}` : `/admin/members/${id}`} className="admin-name underline">
    {email ?? "A deleted account"}
  </Link>
);

/** Returns a link to all entries of the audit log about something. */
export const toAuditLog = (subject: string, id: string): string =>
  `/admin/audit?${new URLSearchParams({ about: `${subject} ${id}` })}`;

export const AuditLink = ({ subject, id }: { subject: string; id: string }) => (
  <Link to={toAuditLog(subject, id)} className="underline">
    See the audit log
  </Link>
);

/** Names the actor of a change. Fits after "by". */
export const formatActor = ({ kind, id, email }: Doer): string => email ?? id ?? DOERS[kind];

const DOERS: Record<Doer["kind"], string> = {
  administrator: "an administrator",
  operator: "the operator",
  webhook: "a webhook",
};

type SelectFieldProps = CheckedField & {
  label: string;
  hint?: string;
  options: { value: string; label: string }[];
};

/** Renders a field with a few options to choose from. */
export const SelectField = ({ id, name, errors, defaultValue, label, hint, options }: SelectFieldProps) => (
  <Field id={id} label={label} errors={errors} {...(hint && { hint })}>
    {({ className: selectClass, ...control }) => (
      <Select {...control} name={name} defaultValue={defaultValue} selectClass={selectClass} options={options} />
    )}
  </Field>
);

type StaleFormNoticeProps = {
  shown: Shown;
  forms: readonly Pick<AdminForm, "intent">[];
  isDrawn: (about: string) => boolean;
  /** The field besides the reason that took time to fill in, if there is one. */
  written?: string;
};

/**
 * Says why a form was refused that the page no longer shows, because its subject has changed in the meantime. Shows
 * what was typed, so that it can be copied.
 */
export function StaleFormNotice({ shown: { returned }, forms, isDrawn, written }: StaleFormNoticeProps) {
  if (!returned || forms.every(({ intent }) => intent !== returned.intent) || isDrawn(returned.about)) return null;
  const texts = [written, REASON].flatMap((name) => (name ? readTyped(returned, name) : []));
  return (
    // oxlint-disable-next-line jsx-a11y/no-autofocus -- a page that comes back starts with the result of its form
    <div tabIndex={-1} autoFocus className="outline-none">
      <OutcomeCard text={returned.result.error?.[""]?.join(" ") ?? NOT_HERE} isGood={false} />
      {texts.length > 0 && (
        <Card title="What you wrote">
          {texts.map((text) => (
            <p key={text} className="mt-2 wrap-anywhere whitespace-pre-line first:mt-0">
              {text}
            </p>
          ))}
        </Card>
      )}
    </div>
  );
}

const NOT_HERE = "This form is no longer here, because what it was about has changed in the meantime.";

function readTyped({ result }: Returned, name: string): string[] {
  const typed = result.initialValue?.[name];
  return typeof typed === "string" && typed.trim() ? [typed] : [];
}

/**
 * Shows a hash, id or address, which is compared digit by digit and copied as a whole. Breaks at hyphens if it has any.
 */
export const Code = ({ children }: { children: string | null }) =>
  children ? (
    <code className={`num select-all ${children.includes("-") ? "wrap-anywhere" : "break-all"}`}>{children}</code>
  ) : (
    "–"
  );
