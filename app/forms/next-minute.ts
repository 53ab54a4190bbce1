const MINUTE_MS = 60_000;

/** Returns the first full minute from a time on (in milliseconds), as ISO 8601. For pages that show no seconds. */
export const nextMinute = (time: number): string => new Date(Math.ceil(time / MINUTE_MS) * MINUTE_MS).toISOString();
