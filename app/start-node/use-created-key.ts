import { useState } from "react";
import type { CreatedKey } from "./created-key.ts";

/**
 * Returns the key that was just created, until its page is left, another key is created, or it is revoked. Only one
 * response contains it, and the router forgets that on the next navigation, even within the page.
 * @param revoked The id of the machine whose key has just been revoked, if one was.
 */
export function useCreatedKey(made: CreatedKey | null, revoked?: string): CreatedKey | null {
  const [kept, setKept] = useState(made);
  const current = made ?? (kept?.deviceId === revoked ? null : kept);
  if (current !== kept) setKept(current);
  return current;
}
