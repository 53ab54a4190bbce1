import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { Button } from "../ui/controls/button.tsx";
import { MemberField } from "../forms/member-field.tsx";

/** What a form of a page with more than one kind of them sends to say that it claims. */
export const CLAIM_INTENT = "claim";
/** The same for all that can be claimed. */
export const CLAIM_ALL_INTENT = "claim-all";

/** While its claim is on the way something counts as claimed; a refusal takes that back. */
export function useIsClaiming(id: string): boolean {
  const { formData, formMethod } = useNavigation();
  return formMethod === "POST" && formData?.get("intent") === CLAIM_INTENT && formData.get("id") === id;
}

/** Whether a claim of all is on the way. */
export function useIsClaimingAll(): boolean {
  const { formData, formMethod } = useNavigation();
  return formMethod === "POST" && formData?.get("intent") === CLAIM_ALL_INTENT;
}

type ClaimFormProps = {
  id: string;
  /** What the button does, in full: there may be many of them. */
  label: string;
};

/** The button that claims the points of a friend or of a reward. */
export function ClaimForm({ id, label }: ClaimFormProps) {
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value={CLAIM_INTENT} />
      <input type="hidden" name="id" value={id} />
      <MemberField />
      <Button type="submit" size="sm" variant="ink" aria-label={label}>
        Claim
      </Button>
    </Form>
  );
}

/** The button that claims all that can be claimed on a page. */
export function ClaimAllForm({ children }: { children: ReactNode }) {
  const isClaiming = useIsClaimingAll();
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value={CLAIM_ALL_INTENT} />
      <MemberField />
      <Button type="submit" variant="ink" aria-disabled={isClaiming}>
        {isClaiming ? "Claiming…" : children}
      </Button>
    </Form>
  );
}
