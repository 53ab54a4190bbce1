import { onlineManager, QueryClientProvider } from "@tanstack/react-query";
import { createContext, use, useEffect, useMemo, useState, type ReactNode } from "react";
import { createBrowserRead } from "./browser-read.ts";
import { readConnection, useConnection, watchConnection } from "./connection.ts";
import { createQueryClient, getBrowserQueryClient, refetchFailed } from "./query-client.ts";
import type { Read } from "./read.ts";

const ReadContext = createContext<Read | null>(null);

/** Returns the function that components read with. Pass it to a read's definition. */
export function useRead(): Read {
  const read = use(ReadContext);
  if (!read) throw new Error("useRead must be used within a QueryProvider.");
  return read;
}

type QueryProviderProps = {
  member: string;
  /** Called when the session turns out to be over. */
  onSignedOut: () => void;
  /** Returns whether that is already known. */
  isOver: () => boolean;
  /** Called after every response, which may have brought cookies. */
  onResponse: () => void;
  children: ReactNode;
};

/**
 * Provides the query cache for a member's pages, and the function that reads for it. On the server nothing goes into
 * the cache. In the browser it lives as long as the document.
 */
export function QueryProvider({ member, onSignedOut, isOver, onResponse, children }: QueryProviderProps) {
  const [client] = useState(import.meta.env.SSR ? createQueryClient : getBrowserQueryClient);
  const read = useMemo(
    () => createBrowserRead(member, { onSignedOut, isOver, onResponse }),
    [member, onSignedOut, isOver, onResponse],
  );
  useEffect(pauseOffline, []);
  const isCutOff = useConnection() !== "online";
  // Runs once the server can be reached again.
  useEffect(() => (isCutOff ? () => void refetchFailed(client) : undefined), [client, isCutOff]);
  return (
    <QueryClientProvider client={client}>
      <ReadContext value={read}>{children}</ReadContext>
    </QueryClientProvider>
  );
}

/** Has reads pause while the server cannot be reached either, rather than as soon as the browser says it is offline. */
const pauseOffline = () =>
  onlineManager.setEventListener((setOnline) => watchConnection(() => setOnline(readConnection() !== "offline")));
