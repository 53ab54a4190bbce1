/** Milliseconds of work that is cheap, and for which a turn rests at most. */
const CHEAP = 10;
const LONGEST_REST = 500;

/**
 * How long a turn rests after work of so many milliseconds: three times as long, so that others get most of the time.
 */
export const restOf = (took: number) => (took < CHEAP ? 0 : Math.min(3 * took, LONGEST_REST));
