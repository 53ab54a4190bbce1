import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { buttonClass } from "./controls/button.tsx";
import { Card } from "./card.tsx";
import { EmptyState } from "./empty-state.tsx";
import { Guard } from "./guard.tsx";
import { Link } from "./link.tsx";

/** Props of the card that replaces one whose data is missing or cannot be rendered. */
type PlaceProps = {
  /** The id of the card it replaces: links lead here. */
  id?: string;
  title: string;
};

type DataCardProps<Data> = PlaceProps & {
  /** The data loaded so far, or null if the backend does not offer it. */
  data: Data | null | undefined;
  /** Renders the card. */
  children: (data: Data) => ReactNode;
};

/** A card that shows loaded data. */
export function DataCard<Data>({ data, children, ...place }: DataCardProps<Data>) {
  return (
    <Guard data={data} fallback={data === null ? <CardElsewhere {...place} /> : <MissingCard {...place} />}>
      {children}
    </Guard>
  );
}

const CardElsewhere = (place: PlaceProps) => (
  <Card {...place}>
    <p className="text-ink-2">This is not available here.</p>
  </Card>
);

/** With a script, missing data is loaded again at once. The link works without one. */
const MissingCard = (place: PlaceProps) => (
  <Card {...place} padded={false}>
    <EmptyState title="Could not be loaded" text={SORRY}>
      <TryAgain className={buttonClass()} />
    </EmptyState>
  </Card>
);

const SORRY = "Something went wrong while loading this part.";

/** The same as MissingCard, for a part of a card. */
export const MissingPart = () => (
  <p className="text-small text-ink-2">
    {SORRY} <TryAgain className="text-ink underline" />
  </p>
);

function TryAgain({ className }: { className: string }) {
  const { pathname, search } = useLocation();
  return (
    <Link to={`${pathname}${search}`} reloadDocument className={className}>
      Try again
    </Link>
  );
}
