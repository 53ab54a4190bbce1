import { randomBytes } from "node:crypto";
import { AppError } from "../../errors.ts";
import { currentCaller } from "../../fair-share/caller.ts";
import { createFairQueue } from "../../fair-share/fair-queue.ts";
import { createHashThreads, type HashJob } from "./hash-threads.ts";

/**
 * Hashes and checks passwords. Both throw UNAVAILABLE if more is asked than this process can soon do, and
 * TOO_MANY_ATTEMPTS if one caller asks for more than their share.
 */
export type PasswordHasher = {
  /** Returns a new Argon2id hash with its own salt. The hash contains its parameters. */
  hash(password: string): Promise<string>;
  /** Whether the password matches the hash. Without a hash, takes as long and returns false. */
  verify(passwordHash: string | null | undefined, password: string): Promise<boolean>;
  /** Whether a hash was made with other parameters than the current ones. */
  needsRehash(passwordHash: string): boolean;
  /** Throws the same errors if a hash asked for now would be refused. */
  ensureRoom(): void;
  /** Returns how many hashes wait for their turn. */
  countWaiting(): number;
};

type PasswordHasherOptions = {
  memoryKib?: number;
  /** How many hashes run at once, each in its own thread. */
  concurrent?: number;
  /** How many hashes may wait for their turn, for all callers together. */
  waiting?: number;
};

/** OWASP's second choice for Argon2id, by far the fastest of equal strength: one pass over 46 MiB. */
const MEMORY_KIB = 46 * 1024;
const PASSES = 1;
const LANES = 1;
const OUTPUT_BYTES = 32;
const SALT_BYTES = 16;
/** How many hashes of one caller may run at once, and how many may wait: many people may sign in from one address. */
const OF_ONE_CALLER = { atOnce: 2, waiting: 16 };
/** In seconds. By then, a full queue has moved on. */
const AGAIN = { retryAfter: 2 };
const FULL = "Too many sign-ins from here at once. Please try again in a moment.";
const CROWDED = "Too many people are signing in right now. Please try again in a moment.";

export function createPasswordHasher(options: PasswordHasherOptions = {}): PasswordHasher {
  const { memoryKib = MEMORY_KIB, concurrent = 4, waiting = 64 } = options;
  const queue = createFairQueue({
    atOnce: concurrent,
    perCaller: OF_ONE_CALLER.atOnce,
    waiting: OF_ONE_CALLER.waiting,
    inAll: waiting,
    // The hashing threads have the lowest priority and share the processor with everything else.
    rests: true,
    // If one caller asks for too much, that is not our failure.
    refuse: (reason) =>
      reason === "full" ? new AppError("TOO_MANY_ATTEMPTS", FULL, AGAIN) : new AppError("UNAVAILABLE", CROWDED, AGAIN),
  });
  const threads = createHashThreads();
  const run = (job: HashJob) => queue.run(currentCaller(), () => threads.run(job));
  // Argon2id and version 19 are the library's defaults.
  const parameters = { memoryCost: memoryKib, timeCost: PASSES, parallelism: LANES, outputLen: OUTPUT_BYTES };
  const prefix = `$argon2id$v=19$m=${memoryKib},t=${PASSES},p=${LANES}$`;
  const nobodys = generateDummyHash(prefix);

  return {
    hash: async (password) => String(await run({ password: normalize(password), parameters })),
    verify: async (passwordHash, password) =>
      (await run({ password: normalize(password), passwordHash: passwordHash ?? nobodys })) === true,
    needsRehash: (passwordHash) => !passwordHash.startsWith(prefix),
    ensureRoom: () => queue.ensureRoom(currentCaller()),
    countWaiting: queue.countWaiting,
  };
}

/** Normalizes a password: keyboards compose the same character in different ways (Unicode, Annex 15). */
const normalize = (password: string) => password.normalize("NFC");

/** Returns a hash that no password matches. Checking against it costs as much as checking against a real one. */
function generateDummyHash(prefix: string) {
  const parts = [SALT_BYTES, OUTPUT_BYTES].map((size) => randomBytes(size).toString("base64").replace(/=+$/, ""));
  return prefix + parts.join("$");
}
