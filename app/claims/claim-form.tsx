import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { Button } from "../ui/controls/button.tsx";
import { MemberField } from "../forms/member-field.tsx";

/** The intent of a form that claims, on pages with more than one kind of form. */
export const CLAIM_INTENT = "claim";
/** The intent of a form that claims everything. */
export const CLAIM_ALL_INTENT = "claim-all";

/** Returns whether a claim is in progress. Until it is refused, it is shown as done. */
export function useIsClaiming(id: string): boolean {
  const { formData, formMethod } = useNavigation();
  return formMethod === "POST" && formData?.get("intent") === CLAIM_INTENT && formData.get("id") === id;
}

/** Returns whether a claim of everything is in progress. */
export function useIsClaimingAll(): boolean {
  const { formData, formMethod } = useNavigation();
  return formMethod === "POST" && formData?.get("intent") === CLAIM_ALL_INTENT;
}

type ClaimFormProps = {
  id: string;
  /** The whole label of the button, because a page may have many of them. */
  label: string;
};

/** Renders the button that claims the points for a friend or a reward. */
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

/** Renders the button that claims everything that can be claimed on a page. */
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
