import { RequirementList, type Requirements } from "../machine-id/requirement-list.tsx";
import { Card } from "../ui/card.tsx";

/** What stands between the member and a Machine ID. */
export function RequirementsCard(requirements: Requirements) {
  return (
    <Card title="Machine ID Requirements">
      <RequirementList {...requirements} />
    </Card>
  );
}
