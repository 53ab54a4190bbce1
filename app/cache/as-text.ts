/**
 * A text of an answer, or null where the backend has put anything else, which takes a page down with it, or nothing:
 * some write an empty text where there is none.
 */
export const asText = (value: unknown): string | null => (typeof value === "string" && value ? value : null);
