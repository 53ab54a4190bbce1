/** A page of rows of which one more than `limit` was read: where there is one, another page follows. */
export function cutPage<Row>(rows: readonly Row[], limit: number, placeOf: (last: Row) => string) {
  const items = rows.slice(0, limit);
  const last = rows.length > limit ? items.at(-1) : undefined;
  return { items, next: last === undefined ? null : placeOf(last) };
}
