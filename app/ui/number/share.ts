import { formatCount } from "./number.ts";

/** What a number is a part of: `of 1 friend`, `of 1.000 friends`, and `no friends yet` where there are none. */
export const formatShare = (count: number, noun: string): string =>
  count === 0 ? `no ${noun}s yet` : `of ${formatCount(count, noun)}`;
