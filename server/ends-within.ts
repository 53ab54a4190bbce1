/** Whether something ends within so many milliseconds: what takes longer goes on. Rejects as it does, until then. */
export async function endsWithin(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(late.resolve, milliseconds, false);
  return Promise.race([work.then(() => true), late.promise]).finally(() => clearTimeout(timer));
}
