import { readUser } from "../../server/profile/contract.ts";
import type { Caller } from "../api/call.ts";
import { textId } from "./loose-responses.ts";

/** Reads the signed-in member. */
export async function readMember(call: Caller, signedOutMessage?: string) {
  const rules = { wrappedIn: "user", ...(signedOutMessage !== undefined && { signedOutMessage }) };
  return textId.one(await call(readUser, {}, rules), "id");
}
