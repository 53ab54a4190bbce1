export const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the UTC day of an instant, such as `2026-11-20`. */
export const utcDay = (instant: Date): string => instant.toISOString().slice(0, 10);

export const startOfUtcDay = (instant: Date): Date => new Date(Math.floor(instant.getTime() / DAY_MS) * DAY_MS);

export const addDays = (instant: Date, days: number): Date => new Date(instant.getTime() + days * DAY_MS);

/** Returns the last `count` UTC days up to and including that of the instant, oldest first. */
export const lastUtcDays = (instant: Date, count: number): string[] =>
  Array.from({ length: count }, (_, index) => utcDay(addDays(instant, index + 1 - count)));
