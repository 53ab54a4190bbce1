import { useState } from "react";
import type { MadeKey } from "./made-key.ts";

/**
 * A key that has just been made, until its page is left or another one is made. It is in one answer alone, which the
 * router forgets with the next move, also to a place of the same page.
 * @param isRevoked Whether a key was revoked since, which may be this one.
 */
export function useMadeKey(made: MadeKey | null, isRevoked = false): MadeKey | null {
  const [kept, setKept] = useState(made);
  const current = made ?? (isRevoked ? null : kept);
  if (current !== kept) setKept(current);
  return current;
}
