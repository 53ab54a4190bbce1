import { ApiError } from "../api/api-error.ts";

/** Moves a refusal beside its field where it says that nobody has the address or id that was typed there. */
export async function besideName<Answer>(field: string, call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "NOT_FOUND") throw error;
    const { code, fromServer, message, status } = error;
    throw new ApiError(message, code, status, { fromServer, fields: { [field]: [message] }, cause: error });
  }
}
