/** The fields whose values no response contains: secrets, and values that can be used only once. */
export const NEVER_SENT_BACK = ["password", "currentPassword", "verificationCode", "turnstileToken"];
