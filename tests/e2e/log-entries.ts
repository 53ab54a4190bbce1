/** Returns entries of the points log, latest first: `Entry 0`, `Entry 1` … A page shows ten of them. */
export const listEntries = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    category: "Others" as const,
    points: 1,
    comment: `Entry ${index}`,
    daysAgo: index,
  }));
