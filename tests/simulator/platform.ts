import crypto, { webcrypto } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";
import { createRandom, type Random } from "./random.ts";

type Source = { random: Random; now: () => Date };

let source: Source | undefined;

/**
 * Replaces the platform's randomness and clock with a seed, for the whole process: ids, tokens, codes and retry delays
 * are the same every time. Waiting takes no time.
 */
export function seedPlatform(seed: string, now: () => Date): void {
  if (!source) replacePlatform();
  source = { random: createRandom(`${seed} platform`), now };
}

const random = () => source?.random ?? createRandom("nothing yet");

const randomBytes = (size: number) => random().drawInto(Buffer.alloc(size));
const randomInt = (one: number, other?: number) =>
  other === undefined ? random().below(one) : random().between(one, other - 1);

function randomUUID() {
  const bytes = randomBytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 15) | 64;
  bytes[8] = ((bytes[8] ?? 0) & 63) | 128;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function getRandomValues(array: ArrayBufferView) {
  random().drawInto(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  return array;
}

function replacePlatform() {
  Object.assign(crypto, { randomBytes, randomInt, randomUUID });
  Object.assign(timers, { setTimeout: (_milliseconds: number, value: unknown) => timers.setImmediate(value) });
  Object.defineProperty(webcrypto, "getRandomValues", { value: getRandomValues, configurable: true });
  Math.random = () => random().next();
  Date.now = () => (source?.now() ?? new Date()).getTime();
  // Also replaces what was imported by name.
  syncBuiltinESMExports();
}
