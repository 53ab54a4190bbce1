import { ANNOUNCED } from "../../../server/announcements/contract.ts";
import type { CheckedField } from "../../forms/use-checked-form.ts";
import { FieldErrors } from "../../ui/controls/field.tsx";
import type { Returned } from "../page.ts";

/** The events in words. */
export const EVENT_WORDS: Record<string, string> = {
  "member.verified": "Somebody has become a member",
  "reward.claimed": "A member has claimed a reward",
  "referral.claimed": "A member has claimed the points for a friend",
  "machine_id.created": "A member has a Machine ID",
} satisfies Record<(typeof ANNOUNCED)[number], string>;

type EventBoxesProps = { field: CheckedField; returned: Returned | undefined };

/** Lets an administrator choose the events that a webhook receives, at least one. */
export function EventBoxes({ field: { errors, id, name }, returned }: EventBoxesProps) {
  const given = returned?.result.initialValue?.[name];
  const ticked = Array.isArray(given) ? given : [given];
  return (
    <fieldset aria-describedby={`${id}-error`} className="grid gap-1.5">
      <legend className="mb-2 text-small font-strong">Send a message when</legend>
      {ANNOUNCED.map((type, index) => (
        <label key={type} className="flex items-start gap-2.5">
          <input
            type="checkbox"
            name={name}
            value={type}
            defaultChecked={ticked.includes(type)}
            // As fields do: without a script, the browser scrolls to the error.
            {...(errors && index === 0 && { autoFocus: true })}
            className="mt-0.5"
          />
          <span className="flex flex-wrap items-baseline gap-x-2.5">
            {EVENT_WORDS[type]}
            <code className="num text-hint text-ink-3">{type}</code>
          </span>
        </label>
      ))}
      <FieldErrors id={`${id}-error`} errors={errors} />
    </fieldset>
  );
}
