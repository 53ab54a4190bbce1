import { createPasswordHasher } from "../../../server/auth/password/password-hasher.ts";

/** Hashes one password at a time, and its only place is taken a moment before it is first asked for. */
export function createTakenHasher() {
  const hasher = createPasswordHasher({ memoryKib: 64, concurrent: 1, waiting: 0 });
  let other: Promise<string> | undefined;

  function ensureRoom() {
    other ??= hasher.hash("somebody else's sign-up");
    hasher.ensureRoom();
  }
  return {
    passwords: { ...hasher, ensureRoom },
    /** Resolves once whoever was first is done. */
    whenFree: async () => void (await other),
  };
}
