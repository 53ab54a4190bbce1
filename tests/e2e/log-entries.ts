/** Entries of the points log, the latest first: `Entry 0`, `Entry 1` … A page has ten of them. */
export const listEntries = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    category: "Others" as const,
    points: 1,
    comment: `Entry ${index}`,
    daysAgo: index,
  }));
