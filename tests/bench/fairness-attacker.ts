import { setTimeout as wait } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { ATTACKS, hangUp, type Attacker } from "./fairness-attacks.ts";

/* The one client, in a thread of its own: what it does shall not hold up the one who measures. */

export type AttackerRequest = { begin: string } | { end: true };

/** Goes of one attack in one round: bounds what a round can cost. */
const MOST = 3000;

// What fairness.ts passes.
const attacker = workerData as Attacker;
let underWay = Promise.resolve<unknown>(undefined);
let stopping = new AbortController();

parentPort?.on("message", (message: AttackerRequest) => void obey(message));

async function obey(message: AttackerRequest) {
  if ("begin" in message) {
    begin(message.begin);
    // Until everything that is at once has begun.
    await wait(50);
  } else {
    stopping.abort();
    hangUp();
    await underWay;
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port's takes none, only a window's does
  parentPort?.postMessage("done");
}

function begin(name: string) {
  const attack = ATTACKS[name];
  if (!attack) throw new Error(`There is no attack ${name}`);
  stopping = new AbortController();
  const { signal } = stopping;
  let left = MOST;
  const again = async () => {
    while (!signal.aborted && left-- > 0) await attack.go(attacker).catch(() => wait(10));
  };
  underWay = Promise.all(Array.from({ length: attack.atOnce }, again));
}
