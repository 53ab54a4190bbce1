import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

/** Keeps what a member's page shows current once the page has hydrated. Announces new totals to screen readers. */
export function LiveUpdates({ member }: { member: string }) {
  const client = useQueryClient();
  const spoken = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const left = new AbortController();
    import("./follow-live.ts").then(
      ({ followLive }) => followLive({ member, client, spoken: spoken.current, signal: left.signal }),
      // Without it the page asks now and then, as it does whenever no live news arrives.
      () => {},
    );
    return () => left.abort();
  }, [client, member]);
  return <p ref={spoken} aria-live="polite" className="sr-only" />;
}
