import { useLocation } from "react-router";
import { MemberField } from "../forms/member-field.tsx";
import { Button } from "../ui/controls/button.tsx";
import { Time } from "../ui/time.tsx";

/** Says on every page that the account will be deleted, with a button to keep it. `dueAt` is ISO 8601. */
export function DeletionBanner({ dueAt }: { dueAt: string }) {
  const { pathname, search } = useLocation();
  return (
    <form
      method="post"
      action="/profile/keep"
      aria-label="Deletion of your account"
      className="mb-4.5 flex flex-wrap items-center gap-3 rounded-card border border-line bg-pulse-soft px-4.5 py-3"
    >
      <MemberField />
      <input type="hidden" name="returnTo" value={pathname + search} />
      <p className="grow font-strong">
        Your account will be deleted on <Time dateTime={dueAt} className="whitespace-nowrap" />.
      </p>
      <Button type="submit">Keep my account</Button>
    </form>
  );
}
