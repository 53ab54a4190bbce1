/** Whether two addresses are one: they are compared case-insensitively (product specification, section 5). */
export const isSameAddress = (one: string | null, other: string | null): boolean =>
  one !== null && one.toLowerCase() === other?.toLowerCase();
