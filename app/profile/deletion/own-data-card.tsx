import { Button } from "../../ui/controls/button.tsx";
import { MemberField } from "../../forms/member-field.tsx";
import { Section } from "../section.tsx";

/** Offers everything that we keep about the member as a file. The browser saves it and stays on the page. */
export function OwnDataCard() {
  return (
    <Section id="your-data" title="Your data">
      <form method="post" action="/profile/data" className="grid gap-3">
        <MemberField />
        <p className="text-ink-2">
          Download everything we keep about you in one file (JSON): your account, points, heartbeats, machines, friends,
          sign-ins and email settings. It contains no passwords or keys.
        </p>
        <div>
          <Button type="submit">Download my data</Button>
        </div>
      </form>
    </Section>
  );
}
