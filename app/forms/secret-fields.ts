/** The fields whose values no response contains: secrets, and values that can be used only once. */
export const SECRET_FIELDS = ["password", "currentPassword", "verificationCode", "turnstileToken"];
