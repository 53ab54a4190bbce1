import { useLocation } from "react-router";
import { buttonClass } from "./controls/button.tsx";
import { Card } from "./card.tsx";
import { EmptyState } from "./empty-state.tsx";

type MissingCardProps = {
  title: string;
  /** False where the backend does not have what the card shows. */
  isOffered?: boolean;
};

/** Stands where a card's data did not come. With a script it is read again at once; the link works without one. */
export function MissingCard({ title, isOffered = true }: MissingCardProps) {
  const { pathname, search } = useLocation();
  if (!isOffered) {
    return (
      <Card title={title}>
        <p className="text-ink-2">This is not available here.</p>
      </Card>
    );
  }
  return (
    <Card title={title} padded={false}>
      <EmptyState title="Not here yet" text="This part could not be loaded.">
        <a href={`${pathname}${search}`} className={buttonClass()}>
          Try again
        </a>
      </EmptyState>
    </Card>
  );
}
