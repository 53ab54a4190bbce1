import { QueryClientProvider } from "@tanstack/react-query";
import { createContext, use, useEffect, useMemo, useState, type ReactNode } from "react";
import { createBrowserRead } from "./browser-read.ts";
import { useConnection } from "./connection.ts";
import { createPageQueryClient, getBrowserQueryClient, repeatUnanswered } from "./query-client.ts";
import type { Read } from "./read.ts";

/** How often a server that does not answer is asked again, in milliseconds; never while the browser is offline. */
const REPEAT_MS = 10_000;

const ReadContext = createContext<Read | null>(null);

/** How components read: hand it to a read's definition. */
export function useRead(): Read {
  const read = use(ReadContext);
  if (!read) throw new Error("useRead must be used within a QueryProvider.");
  return read;
}

type QueryProviderProps = {
  member: string;
  /** The session turned out to be over. */
  onSignedOut: () => void;
  /** Any answer has come, which may have brought cookies. */
  onAnswer: () => void;
  children: ReactNode;
};

/**
 * The query cache for the pages of a member, and the way to read for it. On the server the cache lives as long as
 * the page is rendered and is never read for; in the browser it lives as long as the document.
 */
export function QueryProvider({ member, onSignedOut, onAnswer, children }: QueryProviderProps) {
  const [client] = useState(() =>
    typeof document === "undefined" ? createPageQueryClient() : getBrowserQueryClient(),
  );
  const read = useMemo(() => createBrowserRead(member, { onSignedOut, onAnswer }), [member, onSignedOut, onAnswer]);
  const connection = useConnection();
  useEffect(() => {
    if (connection !== "unreachable") return undefined;
    const timer = setInterval(() => repeatUnanswered(client), REPEAT_MS);
    return () => clearInterval(timer);
  }, [client, connection]);
  return (
    <QueryClientProvider client={client}>
      <ReadContext value={read}>{children}</ReadContext>
    </QueryClientProvider>
  );
}
