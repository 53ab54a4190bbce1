import { ButtonLink } from "../ui/controls/button.tsx";

/** The next step of a member who has no points yet. */
export function HowToEarn() {
  return (
    <ButtonLink to="/faqs" variant="quiet">
      How to earn points
    </ButtonLink>
  );
}
