import type { CampaignMail } from "../../../server/campaign-mail/contract.ts";
import { FormAlert } from "../../forms/form-notice.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { Pill } from "../../ui/pill.tsx";
import { AddressForm, CodeForm } from "./campaign-forms.tsx";
import { listErrors, ProfileForm, Section, useFormKey, useRefusal } from "../section.tsx";

type CampaignMailCardProps = {
  mail: CampaignMail;
  /** The address that the member signs in with. Campaign emails go there if there is no other address. */
  email: string;
  /** What was typed as an address when the session ended. */
  draft: string | undefined;
};

/** Shows whether the member gets campaign emails, and at which address. */
export function CampaignMailCard({ mail, email, draft }: CampaignMailCardProps) {
  const { subscribed, pendingEmail } = mail;
  const codeKey = useFormKey("campaign-address");
  const addressKey = useFormKey("campaign-code", "campaign-address");
  const refused = listErrors(useRefusal("campaign-code"));
  return (
    <Section
      id="campaign-mail"
      title="Campaign emails"
      aside={<Pill tone={subscribed ? "good" : "mute"}>{subscribed ? "On" : "Off"}</Pill>}
    >
      <div className="grid gap-5">
        <Subscription subscribed={subscribed} address={mail.email ?? email} />
        {pendingEmail ? (
          <CodeForm key={codeKey} pendingEmail={pendingEmail} />
        ) : (
          // The form that this error is about has gone together with the code.
          <FormAlert errors={refused} />
        )}
        <AddressForm key={`address ${addressKey}`} pendingEmail={pendingEmail} draft={draft} />
      </div>
    </Section>
  );
}

function Subscription({ subscribed, address }: { subscribed: boolean; address: string }) {
  return (
    <ProfileForm intent="campaign-mail" className="grid gap-3">
      <p key={Number(subscribed)} className="text-ink-2">
        {subscribed
          ? "We email you about new campaigns and what they are worth. These emails go to "
          : "You get no campaign emails. If you turn them on, we send them to "}
        <strong className="font-strong wrap-anywhere text-ink">{address}</strong>.
      </p>
      <div>
        <Button type="submit" name="subscribed" value={String(!subscribed)}>
          {subscribed ? "Turn off campaign emails" : "Turn on campaign emails"}
        </Button>
      </div>
    </ProfileForm>
  );
}
