import { useEffect, useState } from "react";
import { watchSession } from "../../session/session-events.ts";
import { Time } from "../../ui/time.tsx";
import { AuthFooter } from "../auth-form.tsx";
import { AuthTitle } from "../auth-layout.tsx";
import { FormNotice } from "../../forms/form-notice.tsx";
import { MailNotArrived, type ResendRefusal } from "../../forms/resend.tsx";
import type { Resend } from "../../../server/mailed-code/contract.ts";
import { Link } from "../../ui/link.tsx";

type ResetMailedProps = { email: string; resend: Resend; refusal: ResendRefusal | null };

/**
 * Shown after the request for a new password. It is the same for every address, so that nobody learns who has an
 * account.
 */
export function ResetMailed({ email, resend, refusal }: ResetMailedProps) {
  const isOpened = useOpened();
  const mailedAgain = resend.state !== "INITIAL" && <MailedAgain at={resend.timestamp} />;
  return (
    <div className="grid gap-6">
      <AuthTitle
        title="Check your email"
        text={
          <>
            If there is an account for <strong className="font-strong text-ink">{email}</strong>, an email is on its
            way. The link in it works once, within one hour.
          </>
        }
      />
      <FormNotice>
        {isOpened ? "The link was opened in another tab. Choose your new password there." : mailedAgain}
      </FormNotice>
      <MailNotArrived resend={resend} refusal={refusal}>
        Wrong address?{" "}
        <Link to="/auth/forgot-password?another" className="text-ink underline">
          Use another address
        </Link>
        .
      </MailNotArrived>
      <AuthFooter question="Remembered it?" to="/auth">
        Sign in
      </AuthFooter>
    </div>
  );
}

/** Returns whether the mailed link was opened in another tab. */
function useOpened(): boolean {
  const [isOpened, setOpened] = useState(false);
  useEffect(
    () =>
      watchSession((event) => {
        if (event === "PASSWORD_RECOVERY") setOpened(true);
      }),
    [],
  );
  return isOpened;
}

const MailedAgain = ({ at }: { /** In milliseconds. */ at: number }) => (
  <span>
    You asked for another email at <Time dateTime={new Date(at).toISOString()} className="whitespace-nowrap" />.
  </span>
);
