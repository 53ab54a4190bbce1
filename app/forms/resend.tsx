import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { Button } from "../ui/controls/button.tsx";
import { Time } from "../ui/time.tsx";
import { FormAlert } from "./form-notice.tsx";
import { nextMinute } from "./next-minute.ts";
import { formatCountdown, useCountdown } from "./use-countdown.ts";
import type { Resend } from "../../server/mailed-code/contract.ts";

export type ResendRefusal = { message: string; retryAt?: string | undefined };

type MailNotArrivedProps = ResendFormProps & { /** What to do about a wrong address. */ children: ReactNode };

/** Says what to do about an email that does not arrive. */
export function MailNotArrived({ children, ...form }: MailNotArrivedProps) {
  return (
    <section aria-labelledby="not-arrived" className="grid gap-3.5 border-t border-line pt-5">
      <h2 id="not-arrived" className="text-heading leading-[1.3] font-bold tracking-[-0.01em]">
        Didn’t get the email?
      </h2>
      <ul className="grid list-disc gap-1 ps-4.5 text-small text-ink-2">
        <li>It can take a few minutes to arrive. Check your spam folder too.</li>
        <li>{children}</li>
      </ul>
      <ResendForm {...form} />
    </section>
  );
}

type ResendFormProps = {
  resend: Resend;
  refusal?: ResendRefusal | null;
  /** Further fields that the form sends. */
  within?: ReactNode;
};

/** Asks for another email once the wait is over. Without a script, the page says when that is. */
export function ResendForm({ resend, refusal, within }: ResendFormProps) {
  const left = useCountdown(resend);
  const isWaiting = left !== null && left > 0;
  const isBusy = useNavigation().formData?.get("intent") === "resend";
  return (
    <Form
      method="post"
      replace
      onSubmit={(event) => {
        if (isWaiting) event.preventDefault();
      }}
      className="grid gap-3"
    >
      {within}
      <FormAlert errors={refusal?.message} retryAt={refusal?.retryAt} />
      <div className="grid justify-items-start gap-2">
        {/* Not `disabled`, which would take the focus from a reader who has just pressed it. */}
        <Button
          type="submit"
          name="intent"
          value="resend"
          aria-disabled={isWaiting || isBusy}
          aria-describedby="resend-when"
        >
          {isBusy ? "Sending…" : "Send another email"}
        </Button>
        <div id="resend-when" className="text-hint text-ink-2">
          <When resend={resend} left={left} />
        </div>
      </div>
      {/* Screen readers announce only the end of the countdown. */}
      <output className="sr-only">{left === 0 ? NOW : null}</output>
    </Form>
  );
}

const NOW = "You can ask for another email now.";

/** The sentences have keys, so that one replaces the other as a whole and no part of it moves. */
function When({ resend: { timestamp, duration }, left }: { resend: Resend; left: number | null }) {
  if (left === null) {
    return (
      <p key="at">
        You can ask again from <Time dateTime={nextMinute(timestamp + duration)} className="whitespace-nowrap" />.
      </p>
    );
  }
  if (left === 0) return <p>{NOW}</p>;
  return (
    <p key="in">
      You can ask again in <span className="num text-ink">{formatCountdown(left)}</span>.
    </p>
  );
}
