import { ButtonLink } from "../../ui/controls/button.tsx";
import { Time } from "../../ui/time.tsx";
import { DELETE_ACCOUNT, GRACE_DAYS } from "../profile-view.ts";
import { Section } from "../section.tsx";

/**
 * Links to the page that deletes an account. `dueAt`: when the account will be deleted, if the member asked for that.
 */
export function DeleteAccountCard({ dueAt }: { dueAt: string | null }) {
  return (
    <Section id="delete-account" title="Delete account">
      <div className="grid gap-3">
        <p key={dueAt} className="text-ink-2">
          {dueAt ? (
            <>
              We will delete your account on <Time dateTime={dueAt} className="whitespace-nowrap" />. You can keep it
              until then.
            </>
          ) : (
            `We delete your account ${GRACE_DAYS} days after you ask, so that you can change your mind. The next page explains what is deleted and what stays.`
          )}
        </p>
        <div>
          <ButtonLink to={DELETE_ACCOUNT}>{dueAt ? "See what happens" : "Delete my account…"}</ButtonLink>
        </div>
      </div>
    </Section>
  );
}
