/** Formats a number of things for a sentence: `1 member`, `2 members`, `2 entries`. */
export const formatCount = (number: number | bigint, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;
