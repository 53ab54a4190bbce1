import { LivePart } from "./contract.ts";

/** What stands for each part's state: it changes when the part does. */
export type PartStates = Record<LivePart, readonly unknown[]>;

/** The id of a state: a short digest of each part, in the order of the parts. Says nothing of what is in them. */
export function toEventId(states: PartStates): string {
  return LivePart.options.map((part) => digest(JSON.stringify(states[part]))).join("-");
}

/** The parts in which two states differ: all of them where one of the ids is not of this version. */
export function findChanged(before: string, after: string): LivePart[] {
  const [old, now] = [before.split("-"), after.split("-")];
  if (old.length !== now.length) return [...LivePart.options];
  return LivePart.options.filter((_, index) => old[index] !== now[index]);
}

/** FNV-1a with 32 bits: it tells states of one member apart, and keeps no secret. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}
