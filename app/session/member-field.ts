/** The hidden field that says whose page a form is on: the member's id. */
export const MEMBER_FIELD = "member";
