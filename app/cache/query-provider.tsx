import { QueryClientProvider } from "@tanstack/react-query";
import { createContext, use, useEffect, useMemo, useState, type ReactNode } from "react";
import { createBrowserRead } from "./browser-read.ts";
import { useConnection } from "./connection.ts";
import { createQueryClient, getBrowserQueryClient, repeatUnanswered } from "./query-client.ts";
import type { Read } from "./read.ts";

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
  /** Whether that is known already. */
  isOver: () => boolean;
  /** Any answer has come, which may have brought cookies. */
  onAnswer: () => void;
  children: ReactNode;
};

/**
 * The query cache for the pages of a member, and the way to read for it. On the server nothing
 * comes into the cache; in the browser it lives as long as the document.
 */
export function QueryProvider({ member, onSignedOut, isOver, onAnswer, children }: QueryProviderProps) {
  const [client] = useState(import.meta.env.SSR ? createQueryClient : getBrowserQueryClient);
  const read = useMemo(
    () => createBrowserRead(member, { onSignedOut, isOver, onAnswer }),
    [member, onSignedOut, isOver, onAnswer],
  );
  const isUnreachable = useConnection() === "unreachable";
  // Once it is over.
  useEffect(() => (isUnreachable ? () => void repeatUnanswered(client) : undefined), [client, isUnreachable]);
  return (
    <QueryClientProvider client={client}>
      <ReadContext value={read}>{children}</ReadContext>
    </QueryClientProvider>
  );
}
