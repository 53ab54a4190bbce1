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

/** `20 Nov 2026, 14:15 UTC`: what is administered may be years old, and administrators sit in many zones. */
export const Moment = ({ at }: { at: string | null }) =>
  at === null ? (
    "–"
  ) : (
    <time dateTime={at} className="whitespace-nowrap tabular-nums">
      {formatUtc(at)}
    </time>
  );

type FactsProps = { facts: readonly (readonly [name: string, value: ReactNode])[] };

/** What we know of one thing, by name. */
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

/** How far something is, such as `Given up`, where the API has it in a word or two of its own. */
export const sayState = (state: string): string => state.charAt(0).toUpperCase() + state.slice(1);

/** Who it is about, and the way to their page; a deleted account has none, but what was done about it. */
export const MemberLink = ({ member: { id, email } }: { member: Named }) => (
  <Link to={email === null ? `/admin/audit?about=${id}` : `/admin/members/${id}`} className="admin-name underline">
    {email ?? "A deleted account"}
  </Link>
);

/** Where all is listed that was done about something. */
export const toAuditLog = (subject: string, id: string): string =>
  `/admin/audit?${new URLSearchParams({ about: `${subject} ${id}` })}`;

export const AuditLink = ({ subject, id }: { subject: string; id: string }) => (
  <Link to={toAuditLog(subject, id)} className="underline">
    See the audit log
  </Link>
);

/** Who did something, in words that follow others. */
export const sayDoer = ({ kind, id, email }: Doer): string => email ?? id ?? DOERS[kind];

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

/** One of a few. */
export const SelectField = ({ id, name, errors, defaultValue, label, hint, options }: SelectFieldProps) => (
  <Field id={id} label={label} errors={errors} {...(hint && { hint })}>
    {({ className: look, ...control }) => (
      <Select {...control} name={name} defaultValue={defaultValue} look={look} options={options} />
    )}
  </Field>
);

type LostFormProps = {
  shown: Shown;
  forms: readonly Pick<AdminForm, "intent">[];
  isDrawn: (about: string) => boolean;
  /** The field that took a while to fill in, where there is one besides the reason. */
  written?: string;
};

/**
 * Why a form was refused that is not there any more, since what it was about has changed meanwhile; with what was typed
 * into it, which can only be copied from here.
 */
export function LostForm({ shown: { returned }, forms, isDrawn, written }: LostFormProps) {
  if (!returned || forms.every(({ intent }) => intent !== returned.intent) || isDrawn(returned.about)) return null;
  const texts = [written, REASON].flatMap((name) => (name ? readTyped(returned, name) : []));
  return (
    // oxlint-disable-next-line jsx-a11y/no-autofocus -- a page that comes back begins with what became of its form
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

/** Hashes, ids and addresses, compared digit by digit and copied as a whole: cut at a hyphen where there is one. */
export const Code = ({ children }: { children: string | null }) =>
  children ? (
    <code className={`num select-all ${children.includes("-") ? "wrap-anywhere" : "break-all"}`}>{children}</code>
  ) : (
    "–"
  );
