const MINUTE_MS = 60_000;

/**
 * The first full minute from a time on (in milliseconds), as ISO 8601: what a page that shows no seconds can promise.
 */
export const nextMinute = (time: number): string => new Date(Math.ceil(time / MINUTE_MS) * MINUTE_MS).toISOString();
