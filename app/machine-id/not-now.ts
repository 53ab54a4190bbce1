/** Said where nothing can be begun, for want of an answer or of the code for it (product specification, section 8). */
export const NOT_NOW = "Unable to create Machine ID at the moment. Please try again later";
