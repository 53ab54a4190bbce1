import { useState, type ComponentProps } from "react";
import type { ProfileInput, User } from "../../../server/profile/contract.ts";
import type { DraftFields } from "../../page/draft.ts";
import { Field } from "../../ui/controls/field.tsx";
import { DraftNotice, ProfileForm, Section, SubmitButton, useFormKey, useProfileForm } from "../section.tsx";

type Detail = keyof ProfileInput;
type Input = Pick<ComponentProps<"input">, "autoComplete" | "inputMode" | "maxLength" | "placeholder" | "spellCheck">;

const HANDLE: Input = { autoComplete: "off", spellCheck: false, maxLength: 200 };

/** What members may tell about themselves. */
const FIELDS: Record<Detail, Input & { label: string; hint?: string }> = {
  full_name: {
    label: "Full name",
    hint: "Shown in the sidebar in place of your email.",
    autoComplete: "name",
    maxLength: 80,
  },
  username: {
    label: "Username",
    hint: "Shown there if you give no full name.",
    autoComplete: "nickname",
    spellCheck: false,
    maxLength: 30,
  },
  avatar_url: {
    label: "Picture",
    hint: "Shown beside your name. An ipfs link, such as ipfs://bafy…",
    inputMode: "url",
    autoComplete: "photo",
    spellCheck: false,
    maxLength: 500,
  },
  discord_username: { label: "Discord", ...HANDLE },
  telegram_handle: { label: "Telegram", hint: "With or without @, or as a link.", ...HANDLE },
  x_handle: { label: "X", hint: "With or without @, or as a link.", ...HANDLE },
  website: { label: "Website", autoComplete: "url", inputMode: "url", spellCheck: false, maxLength: 300 },
};

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- these are exactly the keys of the record above
const DETAILS = Object.keys(FIELDS) as Detail[];

type DetailsCardProps = {
  user: User;
  /** What was typed when the session ended. */
  draft: DraftFields | null;
};

/** Lets members say who they are, here and elsewhere. Every field is optional. */
export function DetailsCard(props: DetailsCardProps) {
  return (
    <Section id="details" title="About you">
      <DetailsForm key={useFormKey("details")} {...props} />
    </Section>
  );
}

function DetailsForm({ user, draft: brought }: DetailsCardProps) {
  // Only a document load brings a draft. Later reads of the page have none, but what was typed is still not saved.
  const [draft] = useState(brought);
  const isDraft = draft !== null && DETAILS.some((name) => name in draft);
  const known = Object.fromEntries(DETAILS.map((name) => [name, (isDraft ? draft[name] : user[name]) ?? ""]));
  const [first] = useState(known);
  const { field, props } = useProfileForm<Record<Detail, string>>("details", { defaultValue: known });
  return (
    <ProfileForm {...props} notice={<DraftNotice shown={isDraft} />} className="grid gap-4">
      <p className="text-ink-2">
        All fields are optional. The member who invited you can see your username. Other members see none of them.
      </p>
      <div className="grid items-start gap-4 @2xl/page:grid-cols-2 @5xl/page:grid-cols-3">
        {DETAILS.map((name) => (
          <Field
            // A value saved here or in another tab replaces only this field. What was typed into the others stays.
            key={`${name} ${known[name]}`}
            {...FIELDS[name]}
            {...field(name)}
            {...(known[name] !== first[name] && { defaultValue: known[name] })}
          />
        ))}
      </div>
      <div>
        <SubmitButton intent="details" busy="Saving…" variant="ink">
          Save
        </SubmitButton>
      </div>
    </ProfileForm>
  );
}
