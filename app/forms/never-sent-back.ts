/** The fields whose values no answer carries: what opens something, and what is spent with one use. */
export const NEVER_SENT_BACK = ["password", "currentPassword", "verificationCode", "turnstileToken"];
