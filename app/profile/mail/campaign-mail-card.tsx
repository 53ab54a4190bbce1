import type { CampaignMail } from "../../../server/campaign-mail/contract.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Pill } from "../../ui/pill.tsx";
import { AddressForm, CodeForm } from "./campaign-forms.tsx";
import type { Refusal } from "../profile-form.ts";
import { ProfileForm, Section } from "../section.tsx";

type CampaignMailCardProps = {
  mail: CampaignMail;
  /** The address that the member signs in with: where campaign mail goes without another. */
  email: string;
  /** Changes with every success here, and begins the forms anew. */
  formKey: string;
  /** What had been typed as an address when the session ended. */
  draft: string | undefined;
  message: string | null;
  refusal: Refusal | null;
};

/** Whether campaign mail comes, and where it goes. */
export function CampaignMailCard({ mail, email, formKey, draft, message, refusal }: CampaignMailCardProps) {
  const { subscribed, pendingEmail } = mail;
  const refused = (intent: string) => (refusal?.intent === intent ? refusal : null);
  return (
    <Section
      id="campaign-mail"
      title="Campaign mail"
      message={message}
      aside={<Pill tone={subscribed ? "good" : "mute"}>{subscribed ? "On" : "Off"}</Pill>}
    >
      <div className="grid gap-5">
        <Subscription subscribed={subscribed} address={mail.email ?? email} refusal={refused("campaign-mail")} />
        {pendingEmail && (
          <CodeForm key={`code-${formKey}`} pendingEmail={pendingEmail} refusal={refused("campaign-code")} />
        )}
        <AddressForm
          key={`address-${formKey}`}
          pendingEmail={pendingEmail}
          draft={draft}
          refusal={refused("campaign-address")}
        />
      </div>
    </Section>
  );
}

type SubscriptionProps = { subscribed: boolean; address: string; refusal: Refusal | null };

function Subscription({ subscribed, address, refusal }: SubscriptionProps) {
  return (
    <ProfileForm intent="campaign-mail" refusal={refusal} className="grid gap-3">
      <p className="text-ink-2">
        {subscribed
          ? "News of campaigns and what they are worth goes to "
          : "Nothing is sent. When it is on, it goes to "}
        <strong className="font-strong wrap-anywhere text-ink">{address}</strong>.
      </p>
      <div>
        <Button type="submit" name="subscribed" value={String(!subscribed)}>
          {subscribed ? "Turn off campaign mail" : "Turn on campaign mail"}
        </Button>
      </div>
    </ProfileForm>
  );
}
