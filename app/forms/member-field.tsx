import { MEMBER_FIELD } from "../session/member-field.ts";
import { useMemberId } from "../session/use-member-id.ts";

/** Says which member's page a form is on. */
export function MemberField() {
  return <input type="hidden" name={MEMBER_FIELD} value={useMemberId() ?? ""} />;
}
