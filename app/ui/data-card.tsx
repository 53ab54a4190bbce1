import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { buttonClass } from "./controls/button.tsx";
import { Card } from "./card.tsx";
import { EmptyState } from "./empty-state.tsx";
import { Guard } from "./guard.tsx";
import { Link } from "./link.tsx";

/** Of what stands in a card's place where nothing has come, or nothing that can be drawn. */
type PlaceProps = {
  /** The card's own: links lead here. */
  id?: string;
  title: string;
};

type DataCardProps<Data> = PlaceProps & {
  /** What has been read, as far as it has come; null where the backend does not have it. */
  data: Data | null | undefined;
  /** The card. */
  children: (data: Data) => ReactNode;
};

/** A card that is made of what was read. */
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

/** With a script what has not come is read again at once; the link works without one. */
const MissingCard = (place: PlaceProps) => (
  <Card {...place} padded={false}>
    <EmptyState title="Could not be loaded" text={SORRY}>
      <TryAgain className={buttonClass()} />
    </EmptyState>
  </Card>
);

const SORRY = "Something went wrong while loading this part.";

/** The same for a part of a card. */
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
