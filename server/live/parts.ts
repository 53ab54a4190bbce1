import { LivePart } from "./contract.ts";

/** Values that stand for the state of each part: they change when the part does. */
export type PartStates = Record<LivePart, readonly unknown[]>;

/**
 * Returns the id of a state: a short digest of each part, in the order of the parts. Reveals nothing of their contents.
 */
export function toEventId(states: PartStates): string {
  return LivePart.options.map((part) => digest(JSON.stringify(states[part]))).join("-");
}

/** Returns the parts in which two states differ, or all parts if one of the ids is from another version. */
export function findChanged(before: string, after: string): LivePart[] {
  const [old, now] = [before.split("-"), after.split("-")];
  if (old.length !== now.length) return [...LivePart.options];
  return LivePart.options.filter((_, index) => old[index] !== now[index]);
}

/**
 * Hashes a text with 32-bit FNV-1a. That is enough to tell the states of one member apart, and need not hide anything.
 */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}
