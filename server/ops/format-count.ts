/** Formats a number for an operator: `1 member`, `2 members`, `2 entries`. */
export const formatCount = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;
