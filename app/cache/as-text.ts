/**
 * Returns a string of a response. Returns null for an empty string, which some backends send for no value, and for any
 * other type, which would break the page.
 */
export const asText = (value: unknown): string | null => (typeof value === "string" && value ? value : null);
