import { Form, useNavigation, useRouteLoaderData } from "react-router";
import { MEMBER_FIELD } from "../auth/member-field.ts";
import { Button } from "../ui/button.tsx";

/** What a form of a page with more than one kind of them sends to say that it claims. */
export const CLAIM_INTENT = "claim";

/** While its claim is on the way something counts as claimed; a refusal takes that back. */
export function useIsClaiming(id: string): boolean {
  const { formData, formMethod } = useNavigation();
  return formMethod === "POST" && formData?.get("intent") === CLAIM_INTENT && formData.get("id") === id;
}

type ClaimFormProps = {
  id: string;
  /** What the button does, in full: there may be many of them. */
  label: string;
};

/** The button that claims the points of a friend or of a reward. */
export function ClaimForm({ id, label }: ClaimFormProps) {
  const shell = useRouteLoaderData<{ member: string | null }>("shell/shell.route");
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value={CLAIM_INTENT} />
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name={MEMBER_FIELD} value={shell?.member ?? ""} />
      <Button type="submit" size="sm" variant="ink" aria-label={label}>
        Claim
      </Button>
    </Form>
  );
}
