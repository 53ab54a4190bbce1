import { useState, type ComponentProps, type ReactNode } from "react";
import { Form, useLocation, useNavigation } from "react-router";
import { FormAlert, FormNotice } from "../forms/form-notice.tsx";
import { MemberField } from "../forms/member-field.tsx";
import { Card } from "../ui/card.tsx";
import { Button } from "../ui/controls/button.tsx";
import type { Refusal } from "./profile-form.ts";
import { PROFILE, type Section as SectionId } from "./profile-view.ts";

type SectionProps = {
  id: SectionId;
  title: string;
  /** What has just been done here. */
  message: string | null;
  aside?: ReactNode;
  padded?: boolean;
  children: ReactNode;
};

/** A card of the profile that has an address of its own, and says what was done in it. */
export function Section({ id, title, message, aside, padded = true, children }: SectionProps) {
  return (
    <div id={id} className="min-w-0 scroll-mt-20">
      <Card title={title} aside={aside} padded={padded}>
        <div className={`${padded ? "mb-4" : "mx-4.5 mb-4"} has-[output:empty]:hidden`}>
          <FormNotice>{message}</FormNotice>
        </div>
        {children}
      </Card>
    </div>
  );
}

/**
 * A key for a form: it changes when what the form asked for is done, so that what was sent is not left in it. What stands
 * in the page's other forms stays there, and what was refused stays, with the focus in it.
 */
export function useFormKey(isDone: boolean): string {
  const { key } = useLocation();
  const [formKey, setFormKey] = useState("form");
  if (isDone && key !== formKey) setFormKey(key);
  return formKey;
}

type ProfileFormProps = ComponentProps<typeof Form> & {
  intent: string;
  /** What to know before filling it in. */
  notice?: ReactNode;
  /** Why it was refused; left out where something else says that. */
  refusal?: Refusal | null;
  /** What is said of it as a whole; without it what the refusal says. */
  errors?: ReactNode;
};

/** A form of the profile: says what it asks for, whose page it is on, and why it was refused. */
export function ProfileForm({ intent, notice, refusal, errors, children, ...form }: ProfileFormProps) {
  return (
    <Form method="post" action={PROFILE} preventScrollReset {...form}>
      <input type="hidden" name="intent" value={intent} />
      <MemberField />
      {notice}
      {refusal !== undefined && <FormAlert errors={errors ?? refusal?.result.error?.[""]} retryAt={refusal?.retryAt} />}
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
