import { createContext, use, useState, type ComponentProps, type ReactNode } from "react";
import { Form, useLocation, useNavigation } from "react-router";
import { FormAlert, FormNotice, type FormAlertProps } from "../forms/form-notice.tsx";
import { MemberField } from "../forms/member-field.tsx";
import { useCheckedForm, type CheckedFormOptions } from "../forms/use-checked-form.ts";
import { Card } from "../ui/card.tsx";
import { Button } from "../ui/controls/button.tsx";
import { Link } from "../ui/link.tsx";
import { useLostFocus } from "../ui/lost-focus.ts";
import type { Refusal } from "./profile-form.ts";
import { messageFor, type Done, type Section as SectionId } from "./profile-outcome.ts";
import { DRAFT, PROFILE } from "./profile-view.ts";

type ProfileOutcome = {
  /** What has just been done. */
  done: Done | null;
  refusal: Refusal | null;
};

/** What came of the form that was sent last: for the section and the form that it concerns. */
export const ProfileOutcomeContext = createContext<ProfileOutcome>({ done: null, refusal: null });

/**
 * A key for a form: it changes when what the form asked for is done, so that what was sent is not left in it. What
 * stands in the page's other forms stays there, and what was refused stays, with the focus in it.
 */
export function useFormKey(...ends: Done[]): string {
  const { done } = use(ProfileOutcomeContext);
  const { key } = useLocation();
  const [formKey, setFormKey] = useState("form");
  if (done && ends.includes(done) && key !== formKey) setFormKey(key);
  return formKey;
}

/** Why a form of that intent was refused; null where it was not. */
export function useRefusal(intent: string): Refusal | null {
  const { refusal } = use(ProfileOutcomeContext);
  return refusal?.intent === intent ? refusal : null;
}

type SectionProps = { id: SectionId; title: string; aside?: ReactNode; padded?: boolean; children: ReactNode };

/** A card of the profile that has an address of its own, and says what was done in it. */
export function Section({ padded = true, children, ...card }: SectionProps) {
  const message = messageFor(card.id, use(ProfileOutcomeContext).done);
  return (
    <Card {...card} padded={padded}>
      <FormNotice ref={useLostFocus(message)} className={padded ? "mb-4" : "mx-4.5 mb-4"}>
        {message}
      </FormNotice>
      {children}
    </Card>
  );
}

/**
 * A form of the profile that the browser checks, too: its fields, what it was refused for, and its props. Its id is not
 * its intent, which may be its section's.
 */
export function useProfileForm<Fields extends Record<string, unknown>>(
  intent: string,
  options: Omit<CheckedFormOptions<Fields>, "id" | "lastResult">,
) {
  const lastResult = useRefusal(intent)?.result;
  const { errors, field, props } = useCheckedForm<Fields>({ id: `${intent}-form`, ...options, lastResult });
  return { field, lastResult, props: { intent, errors, replace: true, ...props } };
}

type ProfileFormProps = ComponentProps<typeof Form> & {
  intent: string;
  /** What to know before filling it in. */
  notice?: ReactNode;
  /** What is said of it as a whole; without it what its refusal says. */
  errors?: FormAlertProps["errors"];
  /** Whether something else says why it was refused, as for many forms in a row. */
  quiet?: boolean;
};

/** A form of the profile: says what it asks for, whose page it is on, and why it was refused. */
export function ProfileForm({ intent, notice, errors, quiet = false, children, ...form }: ProfileFormProps) {
  const refusal = useRefusal(intent);
  return (
    <Form method="post" action={PROFILE} data-draft={DRAFT} preventScrollReset {...form}>
      <input type="hidden" name="intent" value={intent} />
      <MemberField />
      {notice}
      {!quiet && <FormAlert errors={errors ?? refusal?.result.error?.[""]} retryAt={refusal?.retryAt} />}
      {children}
    </Form>
  );
}

type SubmitButtonProps = ComponentProps<typeof Button> & {
  /** Of the form that it sends. */
  intent: string;
  /** What it says while the form is on its way. */
  busy: string;
};

export function SubmitButton({ intent, busy, children, ...button }: SubmitButtonProps) {
  const isBusy = useNavigation().formData?.get("intent") === intent;
  return (
    <Button {...button} type="submit" aria-disabled={isBusy}>
      {isBusy ? busy : children}
    </Button>
  );
}

/** Says that what had been typed when the session ended is in the form again. */
export const DraftNotice = ({ shown }: { shown: boolean }) => (
  <FormNotice data-restored={shown || undefined}>
    {shown ? "Your session ended. What you typed is still here." : null}
  </FormNotice>
);

/** The address that the member signs in with. */
export const CurrentEmail = ({ email }: { email: string }) => (
  <p className="text-ink-2">
    You sign in as <strong className="font-strong wrap-anywhere text-ink">{email}</strong>.
  </p>
);

/** How to change that where the backend cannot. */
export const WriteToUs = () => (
  <p className="text-hint text-ink-3">
    To use another one,{" "}
    <Link to="/privacy#contact" className="text-ink-2 underline">
      write to us
    </Link>{" "}
    from this one.
  </p>
);
