import type { SubmissionResult } from "@conform-to/dom";
import type { ComponentProps, ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import type { BotCheckToken } from "../../server/auth/contract.ts";
import { BotCheckFields } from "../forms/bot-check-fields.tsx";
import { FormAlert, type FormAlertProps } from "../forms/form-notice.tsx";
import { Button } from "../ui/controls/button.tsx";
import { AuthTitle } from "./auth-layout.tsx";
import { Link } from "../ui/link.tsx";

/** The props of a form that the bot check protects. */
export type CheckedFormProps = {
  /** The result of the last submission, from the route's action. */
  lastResult?: SubmissionResult | null;
  /** When to try again, as ISO 8601, after too many attempts. */
  retryAt?: string | undefined;
  /** What the form sends for the bot check, or null if the check is not available. */
  check: BotCheckToken | null;
  /** What the visitor should know before filling it in. */
  notice: ReactNode;
};

type AuthFormProps = Omit<ComponentProps<typeof Form>, "title"> & {
  title: string;
  text: ReactNode;
  notice?: ReactNode;
  /** Why the form was refused. */
  errors: FormAlertProps["errors"];
  retryAt?: string | undefined;
  /** What the form sends for the bot check, if that protects the form. */
  check?: BotCheckToken | null;
  /** The label of its button, and its label while the form is being sent. */
  submit: [words: string, busy: string];
  /** The intent that its button sends, if its route handles several forms. */
  intent?: string;
  /** A link to the page that the visitor may have wanted instead. */
  footer?: ReactNode;
};

/** Renders the main form of a page for visitors. */
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
  // Another form of the page asks for another email.
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

/** Renders a quiet line below a form, with a link to another page. */
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
