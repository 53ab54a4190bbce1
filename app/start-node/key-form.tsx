import { Form, useNavigation } from "react-router";
import { FormAlert } from "../forms/form-notice.tsx";
import { MemberField } from "../forms/member-field.tsx";
import { useCheckedForm } from "../forms/use-checked-form.ts";
import type { ConstraintMessages } from "../ui/controls/constraint-errors.ts";
import { Button } from "../ui/controls/button.tsx";
import { Field } from "../ui/controls/field.tsx";
import type { KeyRefusal } from "./created-key.ts";

/** The intent of the form, on pages that have other forms, too. */
export const KEY_INTENT = "device";

const MESSAGES: ConstraintMessages = { name: [["valueMissing", "Enter a name for the machine."]] };

type KeyFormProps = {
  /** The page with the form. Its action creates the key. */
  action: string;
  refusal: KeyRefusal | null;
  suggestedName?: string;
};

/** Creates a key for one more machine. The page that comes back shows the command that contains it. */
export function KeyForm({ action, refusal, suggestedName }: KeyFormProps) {
  const { errors, field, props } = useCheckedForm<{ name: string }>({
    id: KEY_INTENT,
    lastResult: refusal?.result,
    messages: MESSAGES,
    ...(suggestedName && { defaultValue: { name: suggestedName } }),
  });
  const isBusy = useNavigation().formData?.get("intent") === KEY_INTENT;
  return (
    <Form method="post" action={action} preventScrollReset {...props} className="grid max-w-120 gap-3">
      <input type="hidden" name="intent" value={KEY_INTENT} />
      <MemberField />
      <FormAlert errors={errors} retryAt={refusal?.retryAt} />
      <Field
        {...field("name")}
        label="Name of the machine"
        hint="The key can only send heartbeats and job results. You can revoke it at any time."
        autoComplete="off"
        required
        maxLength={80}
      />
      <div>
        <Button type="submit" variant="ink" aria-disabled={isBusy}>
          {isBusy ? "Creating a key…" : "Create a key and show the command"}
        </Button>
      </div>
    </Form>
  );
}
