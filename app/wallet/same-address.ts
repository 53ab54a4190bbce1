/** Returns whether two addresses are the same. Case does not matter (product specification, section 5). */
export const isSameAddress = (one: string | null, other: string | null | undefined): boolean =>
  one !== null && one.toLowerCase() === other?.toLowerCase();
