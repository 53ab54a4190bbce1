import type { EmailChange } from "../../../server/email-change/contract.ts";
import { FormAlert } from "../../forms/form-notice.tsx";
import { Card } from "../../ui/card.tsx";
import { ButtonLink } from "../../ui/controls/button.tsx";
import { DataCard } from "../../ui/data-card.tsx";
import { PROFILE } from "../profile-view.ts";
import { CurrentEmail, listErrors, Section, useFormKey, useRefusal, WriteToUs } from "../section.tsx";
import { CodeForm, RequestForm } from "./change-email-forms.tsx";

type ChangeEmailPageProps = {
  /** The address that the member signs in with now. */
  email: string;
  /** Null if the backend does not offer this. */
  change: EmailChange | null;
  /** What was typed as the new address when the session ended. */
  draft: string | undefined;
};

/** Changes the address that the member signs in with: first the new address, then the code that was mailed there. */
export function ChangeEmailPage({ email, change, draft }: ChangeEmailPageProps) {
  return (
    <div className="grid max-w-180 gap-4.5">
      <DataCard data={change ?? NOT_OFFERED} title="Your email">
        {({ isOffered, pending }) =>
          isOffered ? <Steps email={email} pending={pending} draft={draft} /> : <Elsewhere email={email} />
        }
      </DataCard>
    </div>
  );
}

const NOT_OFFERED: EmailChange = { isOffered: false, pending: null };

type StepsProps = Pick<EmailChange, "pending"> & Pick<ChangeEmailPageProps, "email" | "draft">;

function Steps({ email, pending, draft }: StepsProps) {
  const codeKey = useFormKey("email-code");
  const refused = [...listErrors(useRefusal("code")), ...listErrors(useRefusal("resend"))];
  if (!pending) {
    return (
      <Section id="email" title="Your new email">
        {/* The form that this error is about has gone together with the code. */}
        <FormAlert errors={refused} className="mb-4" />
        <RequestForm email={email} draft={draft} />
      </Section>
    );
  }
  return (
    <>
      <Section id="email" title="Confirm your new email">
        <CodeForm key={codeKey} {...pending} current={email} />
      </Section>
      <Card title="Use a different email">
        <RequestForm key={`request ${codeKey}`} email={email} draft={draft} />
      </Card>
    </>
  );
}

const Elsewhere = ({ email }: { email: string }) => (
  <Card title="Your email">
    <div className="grid justify-items-start gap-4">
      <div className="grid gap-1">
        <CurrentEmail email={email} />
        <WriteToUs />
      </div>
      <ButtonLink to={PROFILE}>Back to your profile</ButtonLink>
    </div>
  </Card>
);
