/**
 * Returns whether the work ends within so many milliseconds. Work that takes longer goes on. Rejects if the work fails
 * in time.
 */
export async function endsWithin(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(late.resolve, milliseconds, false);
  return Promise.race([work.then(() => true), late.promise]).finally(() => clearTimeout(timer));
}
