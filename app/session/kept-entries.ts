import { useEffect, useMemo, useSyncExternalStore } from "react";
import { writeFlag } from "./member-flags.ts";

/**
 * What was read last, for when it cannot be had: the configuration of the product, which is the rules in force, and
 * what all nodes have gathered. Nothing in them is anybody's own (product specification, section 3: local storage).
 */
type KeptEntry = "configuration" | "gatheredData";

/** An entry of local storage; an empty object where it is absent or unreadable. */
export function useKept(name: KeptEntry): Record<string, unknown> {
  const text = useSyncExternalStore(
    followNothing,
    () => readText(name),
    () => null,
  );
  return useMemo(() => parseEntry(text), [text]);
}

/** Keeps what has been read. */
export function useKeep(name: KeptEntry, value: object | null | undefined): void {
  useEffect(() => {
    if (value) writeFlag(name, JSON.stringify({ ...parseEntry(readText(name)), ...value }));
  }, [name, value]);
}

/** It is looked at when a page is drawn: what is on the page is newer. */
const followNothing = () => () => {};

function readText(name: KeptEntry): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    // Storage may be switched off.
    return null;
  }
}

/** Anything may stand in local storage. */
export function parseEntry(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
