import type { SubmissionResult } from "@conform-to/react";
import { Form, useNavigation } from "react-router";
import { Button } from "../../ui/controls/button.tsx";
import { AuthTitle } from "../auth-layout.tsx";
import { FormAlert } from "../../forms/form-notice.tsx";

/** Where a mailed link leads: only the button uses it. */
export function ConfirmLinkForm({ lastResult }: { lastResult?: SubmissionResult | null | undefined }) {
  const busy = useNavigation().formMethod === "POST";
  return (
    <Form method="post" replace className="grid gap-5">
      <AuthTitle title="Confirm your email" text="One press, and you are a member. It also signs you in." />
      <FormAlert errors={lastResult?.error?.[""]} />
      <Button type="submit" name="intent" value="link" variant="ink" size="lg" aria-disabled={busy}>
        {busy ? "Confirming…" : "Confirm my email"}
      </Button>
    </Form>
  );
}
