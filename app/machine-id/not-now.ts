/** Shown if nothing can begin because an answer, or the code for it, is missing (product specification, section 8). */
export const NOT_NOW = "Unable to create Machine ID at the moment. Please try again later";
