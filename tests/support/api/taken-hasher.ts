import { createPasswordHasher } from "../../../server/auth/password/password-hasher.ts";

/**
 * Creates a hasher with room for one password at a time, which another one takes just before the first request for it.
 */
export function createTakenHasher() {
  const hasher = createPasswordHasher({ memoryKib: 64, concurrent: 1, waiting: 0 });
  let other: Promise<string> | undefined;

  function ensureRoom() {
    other ??= hasher.hash("somebody else's sign-up");
    hasher.ensureRoom();
  }
  return {
    passwords: { ...hasher, ensureRoom },
    /** Resolves once the first password is hashed. */
    whenFree: async () => void (await other),
  };
}
