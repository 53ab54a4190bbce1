import { useState } from "react";
import type { CreatedKey } from "./created-key.ts";

/**
 * Returns the key that was just created, until its page is left or another key is created. Only one response contains
 * it, and the router forgets that on the next navigation, even within the page.
 * @param isRevoked Whether a key was revoked since, which may be this one.
 */
export function useCreatedKey(made: CreatedKey | null, isRevoked = false): CreatedKey | null {
  const [kept, setKept] = useState(made);
  const current = made ?? (isRevoked ? null : kept);
  if (current !== kept) setKept(current);
  return current;
}
