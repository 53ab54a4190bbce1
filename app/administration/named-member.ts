import { ApiError } from "../api/api-error.ts";

/**
 * Moves the error to its field if the call fails because no member has the email address or id that was typed there.
 */
export async function moveNotFoundToField<Answer>(field: string, call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "NOT_FOUND") throw error;
    const { code, fromServer, message, status } = error;
    throw new ApiError(message, code, status, { fromServer, fields: { [field]: [message] }, cause: error });
  }
}
