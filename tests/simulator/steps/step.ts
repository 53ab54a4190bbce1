import type { Random } from "../random.ts";
import type { World } from "../world.ts";

/** An action of somebody, or an event. Returns its outcome, in a few words for the history. */
export type Step = {
  name: string;
  /** How often it is chosen, relative to the others. */
  weight: number;
  /** Whether it may happen while others are under way. */
  together?: true;
  run: (world: World, random: Random) => Promise<string>;
};

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The outcome if there is nobody, or nothing, to do it with. */
export const NOBODY = "nobody can";
