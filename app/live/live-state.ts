import { useSyncExternalStore } from "react";

let live = false;
const listeners = new Set<() => void>();

/** Notes whether live news arrives, in this tab or through another one. */
export function setLive(now: boolean): void {
  if (now === live) return;
  live = now;
  for (const listener of listeners) listener();
}

/** Returns whether live news arrives at this moment. */
export const isLive = (): boolean => live;

/** Returns whether live news arrives. If not, whatever must be current has to ask. */
export function useLive(): boolean {
  return useSyncExternalStore(watch, isLive, () => false);
}

function watch(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}
