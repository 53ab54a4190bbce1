import type { ReactNode } from "react";
import type { CheckedField } from "../forms/use-checked-form.ts";
import { Field } from "../ui/controls/field.tsx";
import { Select } from "../ui/controls/select.tsx";
import { Link } from "../ui/link.tsx";
import { OutcomeCard } from "../ui/outcome-card.tsx";
import { formatClock, formatDay } from "../ui/time.tsx";
import type { AdminForm, Shown } from "./page.ts";

/** `20 Nov 2026, 14:15 UTC`: what is administered may be years old, and administrators sit in many zones. */
export const Moment = ({ at }: { at: string | null }) =>
  at === null ? (
    "–"
  ) : (
    <time dateTime={at} className="whitespace-nowrap">
      {formatDay(at)}, {formatClock(at, false)}
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

/** Who it is about, and the way to their page. */
export const MemberLink = ({ member: { id, email } }: { member: Named }) => (
  <Link to={`/admin/members/${id}`} className="underline underline-offset-2">
    {email ?? "A deleted account"}
  </Link>
);

/** Who did something, in words. */
export const sayDoer = ({ kind, id, email }: { kind: string; id: string | null; email: string | null }): string =>
  kind === "operator" ? "The operator" : (email ?? id ?? "–");

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

type LostFormProps = { shown: Shown; forms: readonly Pick<AdminForm, "intent">[]; isDrawn: (about: string) => boolean };

/** Why a form was refused that is not there any more, since what it was about has changed meanwhile. */
export function LostForm({ shown: { returned }, forms, isDrawn }: LostFormProps) {
  const isOurs = forms.some(({ intent }) => intent === returned?.intent);
  const errors = returned?.result.error?.[""];
  return returned && isOurs && errors && !isDrawn(returned.about) ? (
    <OutcomeCard text={errors.join(" ")} isGood={false} />
  ) : null;
}

/** Hashes and ids, which are long and are compared digit by digit. */
export const Code = ({ children }: { children: string | null }) =>
  children ? <code className="num break-all">{children}</code> : "–";
