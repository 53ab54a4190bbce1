/** Points have two decimals at most. Sums are made in hundredths, so that they are as exact as the database's. */
export const sumPoints = (amounts: number[]): number =>
  amounts.reduce((sum, amount) => sum + Math.round(amount * 100), 0) / 100;

export const roundPoints = (amount: number): number => Math.round(amount * 100) / 100;

/** The amount as the database's numeric. Throws a RangeError for more than two decimals: nothing is rounded away. */
export function toNumeric(points: number): string {
  if (!Number.isFinite(points) || roundPoints(points) !== points) {
    throw new RangeError(`${points} is not an amount of points: two decimals at most.`);
  }
  return points.toFixed(2);
}
