/** Adds up amounts, which have two decimals at most. Sums hundredths, to be as exact as the database. */
export const sumPoints = (amounts: number[]): number =>
  amounts.reduce((sum, amount) => sum + Math.round(amount * 100), 0) / 100;

export const roundPoints = (amount: number): number => Math.round(amount * 100) / 100;

/**
 * Formats an amount as the database's numeric. Throws RangeError if it has more than two decimals, instead of rounding.
 */
export function toNumeric(points: number): string {
  if (!Number.isFinite(points) || roundPoints(points) !== points) {
    throw new RangeError(`${points} is not an amount of points: two decimals at most.`);
  }
  return points.toFixed(2);
}
