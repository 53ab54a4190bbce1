import type { ContentPointsEntry } from "../../server/agent-insights/contract.ts";
import { ButtonLink } from "../ui/controls/button.tsx";
import { Card } from "../ui/card.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { formatChange } from "../ui/number/number.ts";
import { Time } from "../ui/time.tsx";

const KINDS = { profile: "Profile", comment: "Comment", post: "Post" };

/** Lists the latest content that the member's node gathered, and what it earned. */
export function ContentPointsCard({ entries }: { entries: ContentPointsEntry[] }) {
  return (
    <Card title="Content points" padded={entries.length > 0}>
      {entries.length === 0 ? (
        <EmptyState title="No content yet" text="Content that your node gathers appears here.">
          <ButtonLink to="/agentinsights" variant="quiet">
            See what nodes gather
          </ButtonLink>
        </EmptyState>
      ) : (
        <ul className="-my-3 grid">
          {entries.map((entry, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- entries have no id, and the list is replaced as a whole
            <li key={index} className="flex items-center gap-3 border-b border-line py-3 last:border-b-0">
              <span className="grid min-w-0 gap-0.5">
                {/* Content may be in any language, including one that is read from right to left. */}
                <span dir="auto" className="wrap-anywhere text-cell">
                  {entry.title}
                </span>
                <span key={entry.kind} className="text-hint text-ink-3">
                  {KINDS[entry.kind]}, <Time dateTime={entry.timestamp} />
                </span>
              </span>
              <span className="num ms-auto text-cell">{formatChange(entry.points)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
