import { useSyncExternalStore } from "react";

let live = false;
const listeners = new Set<() => void>();

/** Notes whether news arrive by themselves, in this tab or by way of another one. */
export function setLive(now: boolean): void {
  if (now === live) return;
  live = now;
  for (const listener of listeners) listener();
}

/** The same as `useLive`, at this moment. */
export const isLive = (): boolean => live;

/** Whether news arrive by themselves; where they do not, what should be current has to ask. */
export function useLive(): boolean {
  return useSyncExternalStore(watch, isLive, () => false);
}

function watch(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}
