/** `1 member`, `2 members`, `2 entries`: a number as an operator reads it. */
export const formatCount = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;
