/** Hidden fields of the administration's forms: which form it is, and which of several with the same intent. */
export const FORM_INTENT = "form-intent";
export const FORM_ABOUT = "form-about";

/**
 * The field of the form that asks for the password again. That form also carries the fields of the form sent before.
 */
export const PASSWORD = "password";
