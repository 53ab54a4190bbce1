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
  /** What was just done. */
  done: Done | null;
  refusal: Refusal | null;
};

/** The result of the form that was sent last, for its section and for the form itself. */
export const ProfileOutcomeContext = createContext<ProfileOutcome>({ done: null, refusal: null });

/**
 * Returns a key for a form. The key changes when what the form asked for is done, so that what was sent is not left in
 * the form. The other forms of the page keep what was typed, and a refused form keeps its values and the focus.
 */
export function useFormKey(...ends: Done[]): string {
  const { done } = use(ProfileOutcomeContext);
  const { key } = useLocation();
  const [formKey, setFormKey] = useState("form");
  if (done && ends.includes(done) && key !== formKey) setFormKey(key);
  return formKey;
}

/** Returns why the form with this intent was refused, or null if it was not. */
export function useRefusal(intent: string): Refusal | null {
  const { refusal } = use(ProfileOutcomeContext);
  return refusal?.intent === intent ? refusal : null;
}

/** Returns everything that was wrong with a form, for a page that no longer has its fields. */
export const listErrors = (refusal: Refusal | null): string[] =>
  Object.values(refusal?.result.error ?? {}).flatMap((said) => said ?? []);

type SectionProps = { id: SectionId; title: string; aside?: ReactNode; padded?: boolean; children: ReactNode };

/** Renders a card of the profile that has its own address and says what was done in it. */
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
 * Sets up a form of the profile that the browser checks, too. Returns its fields, the result of its last submission and
 * its props. Its id is not its intent, because its section may have that id.
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
  /** What the member should know before filling it in. */
  notice?: ReactNode;
  /** The errors of the form as a whole. Without them, it shows those of its refusal. */
  errors?: FormAlertProps["errors"];
  /** Whether something else says why it was refused, as with many forms in a row. */
  quiet?: boolean;
  /** Whether it takes a mailed code. Once its attempts are used up, only another code helps: its message says so. */
  takesCode?: boolean;
};

/**
 * Renders a form of the profile. It sends its intent and the member whose page it is on, and says why it was refused.
 */
export function ProfileForm({ intent, notice, errors, quiet, takesCode, children, ...form }: ProfileFormProps) {
  const refusal = useRefusal(intent);
  const retryAt = takesCode ? undefined : refusal?.retryAt;
  return (
    <Form method="post" action={PROFILE} data-draft={DRAFT} preventScrollReset {...form}>
      <input type="hidden" name="intent" value={intent} />
      <MemberField />
      {notice}
      {!quiet && <FormAlert errors={errors ?? refusal?.result.error?.[""]} retryAt={retryAt} />}
      {children}
    </Form>
  );
}

type SubmitButtonProps = ComponentProps<typeof Button> & {
  /** The intent of its form. */
  intent: string;
  /** Its label while the form is being sent. */
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

/** Says that the form has been filled again with what was typed when the session ended. */
export const DraftNotice = ({ shown }: { shown: boolean }) => (
  <FormNotice data-restored={shown || undefined}>
    {shown ? "Your session ended. What you typed is still here." : null}
  </FormNotice>
);

/** Shows the address that the member signs in with. */
export const CurrentEmail = ({ email }: { email: string }) => (
  <p className="text-ink-2">
    You sign in as <strong className="font-strong wrap-anywhere text-ink">{email}</strong>.
  </p>
);

/** Says how to change that address if the backend cannot. */
export const WriteToUs = () => (
  <p className="text-hint text-ink-3">
    To use another one,{" "}
    <Link to="/privacy#contact" className="text-ink-2 underline">
      write to us
    </Link>{" "}
    from this one.
  </p>
);
