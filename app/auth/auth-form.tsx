import type { SubmissionResult } from "@conform-to/dom";
import type { ComponentProps, ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import type { BotCheckToken } from "../../server/auth/contract.ts";
import { BotCheckFields } from "../forms/bot-check-fields.tsx";
import { FormAlert, type FormAlertProps } from "../forms/form-notice.tsx";
import { Button } from "../ui/controls/button.tsx";
import { AuthTitle } from "./auth-layout.tsx";
import { Link } from "../ui/link.tsx";

/** What the page of a form that the bot check guards hands it. */
export type CheckedFormProps = {
  /** The reply to the last submission, from the route's action. */
  lastResult?: SubmissionResult | null;
  /** When to try again, as ISO 8601, after too many attempts. */
  retryAt?: string | undefined;
  /** What the bot check needs in the form; null while it cannot be asked. */
  check: BotCheckToken | null;
  /** What to know before filling it in. */
  notice: ReactNode;
};

type AuthFormProps = Omit<ComponentProps<typeof Form>, "title"> & {
  title: string;
  text: ReactNode;
  notice?: ReactNode;
  /** Why it was refused. */
  errors: FormAlertProps["errors"];
  retryAt?: string | undefined;
  /** What the bot check needs in it, where that guards it. */
  check?: BotCheckToken | null;
  /** What its button says, and what it says while the form is on its way. */
  submit: [words: string, busy: string];
  /** What its button asks for, where its route takes more than one form. */
  intent?: string;
  /** The way to where else the reader may have wanted to go. */
  footer?: ReactNode;
};

/** The one form of a page that leads in. */
export function AuthForm({
  title,
  text,
  notice,
  errors,
  retryAt,
  submit: [words, busyWords],
  intent,
  footer,
  children,
  check,
  ...form
}: AuthFormProps) {
  const { formData, formMethod } = useNavigation();
  // Another mail is asked for by another form of the page.
  const busy = formMethod === "POST" && formData?.get("intent") !== "resend";
  return (
    <Form method="post" replace {...form} className="grid gap-5">
      <AuthTitle title={title} text={text} />
      {notice}
      <FormAlert errors={errors} retryAt={retryAt} />
      {check !== undefined && <BotCheckFields check={check} />}
      {children}
      <Button
        type="submit"
        {...(intent && { name: "intent", value: intent })}
        variant="ink"
        size="lg"
        aria-disabled={busy}
      >
        {busy ? busyWords : words}
      </Button>
      {footer}
    </Form>
  );
}

type FooterProps = { question: string; to: string; children: ReactNode };

/** The quiet line below a form that leads elsewhere. */
export function AuthFooter({ question, to, children }: FooterProps) {
  return (
    <p className="text-center text-cell text-ink-2">
      {question}{" "}
      <Link to={to} className="font-strong text-ink hover:underline">
        {children}
      </Link>
    </p>
  );
}
