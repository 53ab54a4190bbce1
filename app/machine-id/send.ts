import { readErrorResponse, toNetworkError } from "../api/api-error.ts";
import { MEMBER_FIELD } from "../session/member-field.ts";
import type { MachineIdAnswer } from "./machine-id.route.ts";

export const MACHINE_ID = "/machine-id";

/** Sends a form to the route that creates. Rejects with an ApiError, whose status is 401 once the session is over. */
export async function sendForm(member: string, fields: Record<string, string>): Promise<MachineIdAnswer> {
  const body = new FormData();
  for (const [name, value] of Object.entries({ ...fields, [MEMBER_FIELD]: member })) body.set(name, value);
  const response = await fetch(MACHINE_ID, { method: "POST", body }).catch((error: unknown) => {
    throw toNetworkError(error);
  });
  if (!response.ok) throw await readErrorResponse(response);
  return response.json();
}
