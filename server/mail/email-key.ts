/** An address as it is compared and kept unique. */
export const emailKey = (email: string): string => email.trim().toLowerCase();
