/** The hidden field with the id of the member whose page a form is on. */
export const MEMBER_FIELD = "member";
