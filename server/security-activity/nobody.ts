/** Stands for the member where an address has none, so that what is written down costs the same for both. */
export const NOBODY = "00000000-0000-0000-0000-000000000000";
