import type { SilenceMail } from "../../../server/silence-mail/contract.ts";
import { About } from "../../ui/about.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { Select } from "../../ui/controls/select.tsx";
import { ProfileForm } from "../section.tsx";

const CHOICES = [
  { value: "", label: "Never" },
  { value: "1", label: "After 1 hour" },
  { value: "3", label: "After 3 hours" },
  { value: "12", label: "After 12 hours" },
  { value: "24", label: "After 24 hours" },
];

type SilenceFormProps = {
  choice: SilenceMail;
  /** The address that the member signs in with. */
  email: string;
};

/** Asks after how long without a heartbeat the member wants an email. */
export function SilenceForm({ choice: { afterHours, tellsReturn }, email }: SilenceFormProps) {
  return (
    <ProfileForm intent="silence-mail" className="grid gap-3 border-t border-line pt-4.5">
      <Field
        label="Email me when my node goes silent"
        id="silence-hours"
        hint={`We send one email to ${email} each time.`}
      >
        {({ className: selectClass, ...control }) => (
          <Select
            // Shows what was saved, here or in another tab. The focus stays where it is.
            key={String(afterHours)}
            {...control}
            selectClass={selectClass}
            className="w-full max-w-80"
            name="afterHours"
            defaultValue={String(afterHours ?? "")}
            options={CHOICES}
          />
        )}
      </Field>
      <label className="flex items-center gap-2.5 text-small">
        <input key={String(tellsReturn)} type="checkbox" name="tellsReturn" defaultChecked={tellsReturn} />
        Email me again when it is back
      </label>
      <div>
        <Button type="submit">
          Save
          <About>when to email me</About>
        </Button>
      </div>
    </ProfileForm>
  );
}
