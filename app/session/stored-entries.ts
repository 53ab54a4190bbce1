import { useEffect, useMemo, useSyncExternalStore } from "react";
import { writeFlag } from "./member-flags.ts";

/**
 * Data from the last read, for when it is not available: the product's configuration, which is the rules in force, and
 * the data that all nodes have gathered. None of it is personal (product specification, section 3: local storage).
 */
type StoredEntry = "configuration" | "gatheredData";

/** Returns an entry of local storage, or an empty object if it is absent or unreadable. */
export function useStoredEntry(name: StoredEntry): Record<string, unknown> {
  const text = useSyncExternalStore(
    followNothing,
    () => readText(name),
    () => null,
  );
  return useMemo(() => parseEntry(text), [text]);
}

/** Keeps data that was read. */
export function usePersistEntry(name: StoredEntry, value: object | null | undefined): void {
  useEffect(() => {
    if (value) writeFlag(name, JSON.stringify({ ...parseEntry(readText(name)), ...value }));
  }, [name, value]);
}

/** The entry is only read when a page renders: what the page itself reads is newer. */
const followNothing = () => () => {};

function readText(name: StoredEntry): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    // Storage may be turned off.
    return null;
  }
}

/** Parses an entry of local storage, which may contain anything. */
export function parseEntry(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
