import { Component, createContext, Suspense, use, type ReactNode } from "react";

/**
 * Whether the document was rendered with guarded parts, which hydration must find again. The server does so after a
 * part failed to render (entry.server.tsx): on the server, only Suspense keeps such an error from the rest of the
 * document.
 */
export const GuardedContext = createContext(false);

type GuardProps<Data> = {
  /** The data to render. New data is a new attempt after a failure. */
  data: Data | null | undefined;
  /** Shown if there is no data or it cannot be rendered. */
  fallback: ReactNode;
  children: (data: Data) => ReactNode;
};

/**
 * Renders data, or the fallback if rendering throws. A backend may send anything, and its answers are used as they are
 * (product specification, section 5).
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

/** Calls the function inside the error boundary instead of outside it. */
function Drawn<Data>({ data, children }: { data: Data; children: (data: Data) => ReactNode }) {
  return children(data);
}

type CatchProps = { data: unknown; fallback: ReactNode; children: ReactNode };
type CatchState = { data: unknown; hasFailed: boolean };

/**
 * An error boundary. It is a class because React offers no other way to catch errors in the browser. React logs the
 * error to the console.
 */
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
