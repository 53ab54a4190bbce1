import { randomBytes } from "node:crypto";
import { AppError } from "../../errors.ts";
import { currentCaller } from "../../fair-share/caller.ts";
import { createFairQueue } from "../../fair-share/fair-queue.ts";
import { createHashThreads, type HashJob } from "./hash-threads.ts";

/**
 * Hashes and checks passwords. Both throw UNAVAILABLE when more is asked than this process can do soon, and
 * TOO_MANY_ATTEMPTS when one caller asks for more than their share of it.
 */
export type PasswordHasher = {
  /** A new Argon2id hash with its own salt, its parameters inside. */
  hash(password: string): Promise<string>;
  /** Whether the password is the hashed one. Without a hash it works as long and answers false. */
  verify(passwordHash: string | null | undefined, password: string): Promise<boolean>;
  /** Whether a hash was made with other parameters than those in force. */
  needsRehash(passwordHash: string): boolean;
  /** Throws the same when a hash asked for now would be refused. */
  ensureRoom(): void;
  /** How many hashes have been asked for whose turn has not come. */
  countWaiting(): number;
};

type PasswordHasherOptions = {
  memoryKib?: number;
  /** How many run at once, each in a thread of its own. */
  concurrent?: number;
  /** How many may wait for their turn, whoever asks. */
  waiting?: number;
};

/** OWASP's second choice for Argon2id, by far the quickest of equal strength: one pass over 46 MiB. */
const MEMORY_KIB = 46 * 1024;
const PASSES = 1;
const LANES = 1;
const OUTPUT_BYTES = 32;
const SALT_BYTES = 16;
/** Hashes of one caller's at once, and those that may wait: many people may sign in from one address. */
const OF_ONE_CALLER = { atOnce: 2, waiting: 16 };
/** In seconds after which a full queue has surely moved on. */
const AGAIN = { retryAfter: 2 };
const FULL = "Too many sign-ins from here at once. Please try again in a moment.";
const CROWDED = "Too many people are signing in right now. Please try again in a moment.";

export function createPasswordHasher(options: PasswordHasherOptions = {}): PasswordHasher {
  const { memoryKib = MEMORY_KIB, concurrent = 4, waiting = 64 } = options;
  const turns = createFairQueue({
    atOnce: concurrent,
    perCaller: OF_ONE_CALLER.atOnce,
    waiting: OF_ONE_CALLER.waiting,
    inAll: waiting,
    // They are made by threads of the least priority, which share the processor with all else.
    rests: true,
    // What one caller has too much of is no failure of ours.
    refuse: (reason) =>
      reason === "full" ? new AppError("TOO_MANY_ATTEMPTS", FULL, AGAIN) : new AppError("UNAVAILABLE", CROWDED, AGAIN),
  });
  const threads = createHashThreads();
  const run = (job: HashJob) => turns.run(currentCaller(), () => threads.run(job));
  // Argon2id and version 19 are the library's defaults.
  const parameters = { memoryCost: memoryKib, timeCost: PASSES, parallelism: LANES, outputLen: OUTPUT_BYTES };
  const prefix = `$argon2id$v=19$m=${memoryKib},t=${PASSES},p=${LANES}$`;
  const nobodys = inventHash(prefix);

  return {
    hash: async (password) => String(await run({ password: normalize(password), parameters })),
    verify: async (passwordHash, password) =>
      (await run({ password: normalize(password), passwordHash: passwordHash ?? nobodys })) === true,
    needsRehash: (passwordHash) => !passwordHash.startsWith(prefix),
    ensureRoom: () => turns.ensureRoom(currentCaller()),
    countWaiting: turns.countWaiting,
  };
}

/** Keyboards differ in how they compose the same character (Unicode, Annex 15): both are the same password. */
const normalize = (password: string) => password.normalize("NFC");

/** A hash that no password has: checking against it costs what checking against a real one does. */
function inventHash(prefix: string) {
  const parts = [SALT_BYTES, OUTPUT_BYTES].map((size) => randomBytes(size).toString("base64").replace(/=+$/, ""));
  return prefix + parts.join("$");
}
