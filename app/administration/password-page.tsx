import type { AdministratorStanding } from "../../server/fresh-password/contract.ts";
import { FormAlert } from "../forms/form-notice.tsx";
import { PasswordOwner } from "../forms/password-field.tsx";
import { MEMBER_FIELD } from "../session/member-field.ts";
import { Card } from "../ui/card.tsx";
import { Button } from "../ui/controls/button.tsx";
import { Field } from "../ui/controls/field.tsx";
import { PASSWORD } from "./form-fields.ts";
import { CarriedFields } from "./carried-fields.tsx";
import type { FormResult } from "./receive-form.ts";

type PasswordPageProps = {
  administrator: AdministratorStanding;
  place: { pathname: string; search: string };
  /** The result of the form that was sent. */
  asked: Omit<Extract<FormResult, { kind: "password" }>, "kind"> | undefined;
};

/** Asks for the password again. The same form keeps the fields that were sent before. */
export function PasswordPage({ administrator, place, asked }: PasswordPageProps) {
  const { carried = [], result, retryAt } = asked ?? {};
  return (
    <div className="admin-narrow">
      <Card title="Enter your password to continue">
        <form method="post" action={place.pathname + place.search} className="grid gap-4">
          <p className="text-ink-2">
            {carried.length > 0
              ? "These pages ask for it every 15 minutes. What you typed is kept, and is sent once you enter your password."
              : "These pages ask for it every 15 minutes."}
          </p>
          <FormAlert errors={result?.error?.[""]} retryAt={retryAt} />
          {carried.length === 0 && <input type="hidden" name={MEMBER_FIELD} value={administrator.id} />}
          <CarriedFields carried={carried} />
          <PasswordOwner email={administrator.email} />
          <Field
            id="admin-password"
            label={`Password of ${administrator.email}`}
            name={PASSWORD}
            type="password"
            autoComplete="current-password"
            required
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the only thing to do here
            autoFocus
            errors={result?.error?.[PASSWORD] ?? undefined}
          />
          <Button type="submit" variant="ink" size="lg">
            Continue
          </Button>
        </form>
      </Card>
    </div>
  );
}
