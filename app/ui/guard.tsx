import { Component, createContext, Suspense, use, type ReactNode } from "react";

/**
 * Whether the document was rendered in guarded parts, which its hydration has to find again. The server does so once
 * something could not be drawn (entry.server.tsx): there, only Suspense keeps that from the rest of a document.
 */
export const GuardedContext = createContext(false);

type GuardProps<Data> = {
  /** What is drawn: it is tried again when other data has come. */
  data: Data | null | undefined;
  /** Stands in its place where there is none, and where it cannot be drawn. */
  fallback: ReactNode;
  children: (data: Data) => ReactNode;
};

/**
 * Draws data as it has come, and something else in its place where that cannot be done. A backend may answer anything,
 * and what it answers is used as it is (product specification, section 5).
 */
export function Guard<Data>({ data, fallback, children }: GuardProps<Data>) {
  const isGuarded = use(GuardedContext);
  if (data === null || data === undefined) return fallback;
  const caught = (
    <Catch data={data} fallback={fallback}>
      <Drawn data={data}>{children}</Drawn>
    </Catch>
  );
  return isGuarded ? <Suspense fallback={fallback}>{caught}</Suspense> : caught;
}

/** Calls the function below what catches, and not above it. */
function Drawn<Data>({ data, children }: { data: Data; children: (data: Data) => ReactNode }) {
  return children(data);
}

type CatchProps = { data: unknown; fallback: ReactNode; children: ReactNode };
type CatchState = { data: unknown; hasFailed: boolean };

/** A class, since React has no other way to catch in the browser. It reports what it has caught on the console. */
class Catch extends Component<CatchProps, CatchState> {
  override state: CatchState = { data: this.props.data, hasFailed: false };

  static getDerivedStateFromError(): Partial<CatchState> {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps({ data }: CatchProps, known: CatchState): CatchState | null {
    return data === known.data ? null : { data, hasFailed: false };
  }

  override render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
