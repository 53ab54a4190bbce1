import { ButtonLink } from "../ui/controls/button.tsx";

/** Links to the next step for a member who has no points yet. */
export function HowToEarn() {
  return (
    <ButtonLink to="/faqs" variant="quiet">
      How to earn points
    </ButtonLink>
  );
}
