/** Hidden fields of the administration's forms: which form it is, and which of several that are alike. */
export const FORM_INTENT = "form-intent";
export const FORM_ABOUT = "form-about";

/** Of the form that asks for the password again; it carries whatever form had been sent before. */
export const PASSWORD = "password";
