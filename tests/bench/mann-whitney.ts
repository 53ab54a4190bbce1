/**
 * Returns how far apart two samples are: the standard score of Mann and Whitney's U, corrected for ties. A value beyond
 * 3.29 on either side happens by chance once in a thousand times (Mann and Whitney, 1947).
 */
export function mannWhitney(first: number[], second: number[]): number {
  const all = [...first.map((value) => ({ value, own: true })), ...second.map((value) => ({ value, own: false }))];
  all.sort((a, b) => a.value - b.value);
  let rankSum = 0;
  let ties = 0;
  for (let start = 0; start < all.length;) {
    let end = start;
    while (all[end]?.value === all[start]?.value && end < all.length) end += 1;
    const count = end - start;
    const rank = (start + 1 + end) / 2;
    rankSum += rank * all.slice(start, end).filter(({ own }) => own).length;
    ties += count ** 3 - count;
    start = end;
  }
  const [n, m] = [first.length, second.length];
  const total = n + m;
  const u = rankSum - (n * (n + 1)) / 2;
  const variance = ((n * m) / 12) * (total + 1 - ties / (total * (total - 1)));
  return (u - (n * m) / 2) / Math.sqrt(variance);
}
