import type { SubmissionResult } from "@conform-to/react";
import { AuthForm } from "../auth-form.tsx";

/** Where a mailed link leads: only the button uses it. */
export function ConfirmLinkForm({ lastResult }: { lastResult?: SubmissionResult | null | undefined }) {
  return (
    <AuthForm
      title="Confirm your email"
      text="One press, and you are a member. It also signs you in."
      errors={lastResult?.error?.[""]}
      intent="link"
      submit={["Confirm my email", "Confirming…"]}
    />
  );
}
