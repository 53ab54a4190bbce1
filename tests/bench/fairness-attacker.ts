import { setTimeout as wait } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { ATTACKS, hangUp, type Attacker } from "./fairness-attacks.ts";

/* The attacking client, in its own thread, so that its work does not slow down the measurement. */

export type AttackerRequest = { begin: string } | { end: true };

/** The most calls of one attack in one round, which limits what a round can cost. */
const MOST = 3000;

// The data that fairness.ts passes.
const attacker = workerData as Attacker;
let underWay = Promise.resolve<unknown>(undefined);
let stopping = new AbortController();

parentPort?.on("message", (message: AttackerRequest) => void obey(message));

async function obey(message: AttackerRequest) {
  if ("begin" in message) {
    begin(message.begin);
    // Waits until all simultaneous calls have begun.
    await wait(50);
  } else {
    stopping.abort();
    hangUp();
    await underWay;
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port's postMessage takes no origin, only a window's does
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
