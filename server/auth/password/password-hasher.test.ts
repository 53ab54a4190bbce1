import { Worker } from "node:worker_threads";
import { hash as argon2 } from "@node-rs/argon2";
import { expect, test, vi } from "vitest";
import { runAsCaller } from "../../fair-share/caller.ts";
import { createPasswordHasher } from "./password-hasher.ts";

const passwords = createPasswordHasher();

test("hashes with Argon2id over 46 MiB and a new salt each time", async () => {
  const [one, two] = await Promise.all([passwords.hash("correct horse"), passwords.hash("correct horse")]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(one).not.toBe(two);
});

test("accepts the password and nothing else", async () => {
  const hash = await passwords.hash("pässwörd with 🦊 and  spaces ");
  expect(await passwords.verify(hash, "pässwörd with 🦊 and  spaces ")).toBe(true);
  expect(await passwords.verify(hash, "pässwörd with 🦊 and  spaces")).toBe(false);
});

test("returns false for any password if there is no hash", async () => {
  expect(await passwords.verify(undefined, "")).toBe(false);
  expect(await passwords.verify(undefined, "correct horse")).toBe(false);
});

test("a check without a hash does the same work as one that fails", async () => {
  const real = await passwords.hash("correct horse");
  // Counts the jobs that the threads get, because times depend on the machine.
  using sent = vi.spyOn(Worker.prototype, "postMessage");
  for (const hash of [undefined, real]) expect(await passwords.verify(hash, "battery staple")).toBe(false);
  const passwordHash = expect.stringMatching(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  const job = { password: "battery staple", passwordHash };
  expect(sent.mock.calls).toEqual([[job], [job]]);
});

test("asks for a new hash when the parameters differ", async () => {
  expect(passwords.needsRehash(await passwords.hash("correct horse"))).toBe(false);
  for (const other of [{ memoryCost: 19_456 }, { timeCost: 3 }, { parallelism: 2 }, { algorithm: 0 }]) {
    const hash = await argon2("correct horse", { memoryCost: 47_104, timeCost: 1, parallelism: 1, ...other });
    expect(passwords.needsRehash(hash)).toBe(true);
    expect(await passwords.verify(hash, "correct horse")).toBe(true);
  }
});

test("throws on a malformed hash instead of treating the password as wrong", async () => {
  await expect(passwords.verify("not a hash", "correct horse")).rejects.toThrow("Decoding failed");
});

test("a caller who sends many passwords delays nobody else, and is rejected past the queue limit", async () => {
  const hasher = createPasswordHasher({ memoryKib: 64, concurrent: 1 });
  const done: string[] = [];
  const hash = (caller: string) =>
    runAsCaller(caller, async () => {
      await hasher.hash("correct horse");
      done.push(caller);
    });
  const many = Promise.allSettled(Array.from({ length: 20 }, () => hash("mallory")));
  await Promise.all([hash("ada"), hash("bob")]);
  // Only the hash that was in progress and one that was queued earlier come before theirs.
  expect(done.slice(0, 4)).toEqual(expect.arrayContaining(["ada", "bob"]));
  const refused = (await many).flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  // The caller is at fault, not this server.
  const told = expect.objectContaining({ code: "TOO_MANY_ATTEMPTS", retryAfter: 2 });
  expect(refused).toEqual(Array.from({ length: 3 }, () => told));
});
