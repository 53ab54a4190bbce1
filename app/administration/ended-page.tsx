import { Card } from "../ui/card.tsx";
import { Button, ButtonLink } from "../ui/controls/button.tsx";
import { CarriedFields } from "./carried-fields.tsx";
import type { Carried } from "./receive-form.ts";

type EndedPageProps = {
  place: { pathname: string; search: string };
  carried: Carried;
  /** Where to sign in. */
  signIn: string;
};

/** Keeps a form that is too long for a cookie while its administrator signs in again in another tab. */
export function EndedPage({ place: { pathname, search }, carried, signIn }: EndedPageProps) {
  return (
    <div className="admin-narrow">
      <Card title="Your session has ended">
        <div className="grid gap-4">
          <p className="text-ink-2">
            Nothing is done yet. What you typed is too long to keep while you sign in, so do not close this page. Sign
            in with the same account in a new tab, then come back here and send the form again.
          </p>
          <ButtonLink to={signIn} target="_blank" variant="ink" size="lg">
            Sign in<span className="sr-only"> (opens in a new tab)</span>
          </ButtonLink>
          <form method="post" action={pathname + search}>
            <CarriedFields carried={carried} />
            <Button type="submit" size="lg">
              Send the form again
            </Button>
          </form>
        </div>
      </Card>
    </div>
  );
}
