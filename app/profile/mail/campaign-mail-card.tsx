import type { CampaignMail } from "../../../server/campaign-mail/contract.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Pill } from "../../ui/pill.tsx";
import { AddressForm, CodeForm } from "./campaign-forms.tsx";
import type { Refusal } from "../profile-form.ts";
import { messageFor, type Done } from "../profile-view.ts";
import { ProfileForm, Section, useFormKey } from "../section.tsx";

type CampaignMailCardProps = {
  mail: CampaignMail;
  /** The address that the member signs in with: where campaign mail goes without another. */
  email: string;
  /** What had been typed as an address when the session ended. */
  draft: string | undefined;
  /** What has just been done on the page. */
  done: Done | null;
  refusal: Refusal | null;
};

/** Whether campaign mail comes, and where it goes. */
export function CampaignMailCard({ mail, email, draft, done, refusal }: CampaignMailCardProps) {
  const { subscribed, pendingEmail } = mail;
  const refused = (intent: string) => (refusal?.intent === intent ? refusal : null);
  const codeKey = useFormKey(done === "campaign-address");
  const addressKey = useFormKey(done === "campaign-code" || done === "campaign-address");
  return (
    <Section
      id="campaign-mail"
      title="Campaign mail"
      message={messageFor("campaign-mail", done)}
      aside={<Pill tone={subscribed ? "good" : "mute"}>{subscribed ? "On" : "Off"}</Pill>}
    >
      <div className="grid gap-5">
        <Subscription subscribed={subscribed} address={mail.email ?? email} refusal={refused("campaign-mail")} />
        {pendingEmail && <CodeForm key={codeKey} pendingEmail={pendingEmail} refusal={refused("campaign-code")} />}
        <AddressForm
          key={`address ${addressKey}`}
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
