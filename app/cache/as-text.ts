/** A text of an answer, or null where the backend has put anything else: for what takes a page down with it. */
export const asText = (value: unknown): string | null => (typeof value === "string" ? value : null);
