import { useLocation } from "react-router";
import { buttonClass } from "./controls/button.tsx";
import { Card } from "./card.tsx";
import { EmptyState } from "./empty-state.tsx";

/** Stands where a card's data did not come. With a script it is read again at once; the link works without one. */
export function MissingCard({ title }: { title: string }) {
  const { pathname, search } = useLocation();
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
