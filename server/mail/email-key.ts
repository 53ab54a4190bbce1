/** Normalizes an address for comparison and uniqueness. */
export const emailKey = (email: string): string => email.trim().toLowerCase();
