import type { Random } from "../random.ts";
import type { World } from "../world.ts";

/** Something that somebody does, or that happens. Answers what came of it, in a few words for the history. */
export type Step = {
  name: string;
  /** How often it is chosen, beside the others. */
  weight: number;
  /** Whether it may happen while others are under way. */
  together?: true;
  run: (world: World, random: Random) => Promise<string>;
};

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Where there is nobody, or nothing, to do it with. */
export const NOBODY = "nobody can";
