import { readUser } from "../../server/profile/contract.ts";
import type { Caller } from "../api/call.ts";
import { unwrapField, textId } from "./loose-answers.ts";

/** Reads the signed-in member. */
export async function readMember(call: Caller, signedOutMessage?: string) {
  const answer = await call(readUser, {}, { ...(signedOutMessage !== undefined && { signedOutMessage }) });
  return textId.one(unwrapField(answer, "user"), "id");
}
