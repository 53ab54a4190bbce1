/** A page of a list that was asked for one row more than it has: so it is known whether there is another. */
export function toPage<Row, Item>(
  rows: Row[],
  limit: number,
  { show, cursor }: { show: (row: Row) => Item; cursor: (row: Row) => string },
) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { items: shown.map(show), next: rows.length > limit && last !== undefined ? cursor(last) : null };
}
