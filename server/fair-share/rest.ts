/** In milliseconds: work below CHEAP needs no rest, and LONGEST_REST is the longest rest of a turn. */
const CHEAP = 10;
const LONGEST_REST = 500;

/**
 * Returns how long a turn rests after so many milliseconds of work: three times as long, so that others get most of the
 * time.
 */
export const restOf = (took: number) => (took < CHEAP ? 0 : Math.min(3 * took, LONGEST_REST));
