import { ButtonLink } from "../../ui/controls/button.tsx";
import { Time } from "../../ui/time.tsx";
import { DELETE_ACCOUNT, GRACE_DAYS } from "../profile-view.ts";
import { Section } from "../section.tsx";

/** Leads to the page where an account is deleted. `dueAt`: when that happens, where it was asked for. */
export function DeleteAccountCard({ dueAt }: { dueAt: string | null }) {
  return (
    <Section id="delete-account" title="Delete account">
      <div className="grid gap-3">
        <p className="text-ink-2">
          {dueAt ? (
            <>
              It goes on <Time dateTime={dueAt} className="whitespace-nowrap" />. Until then you can keep it.
            </>
          ) : (
            `It goes after ${GRACE_DAYS} days, in which you can change your mind. The next page says what goes and what stays.`
          )}
        </p>
        <div>
          <ButtonLink to={DELETE_ACCOUNT}>{dueAt ? "See what happens" : "Delete my account…"}</ButtonLink>
        </div>
      </div>
    </Section>
  );
}
