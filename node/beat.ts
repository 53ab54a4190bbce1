import * as z from "zod";
import { HeartbeatsResult, MAX_BEATS_PER_BATCH, sendHeartbeats } from "../server/heartbeats/contract.ts";
import { slotOf } from "../server/heartbeats/beat-window.ts";
import { chooseWait } from "./back-off.ts";
import type { BeatQueue } from "./beat-queue.ts";
import { CallFailed, type Caller } from "./call.ts";
import { describeResult } from "./describe-result.ts";
import { formatWait, type RetryContext } from "./retry.ts";

/** How many seconds between two beats, until the server says otherwise. */
const USUAL_INTERVAL = 900;

/** How long a call may take, in milliseconds. */
export const CALL_TIMEOUT = 10_000;
/** How overdue a beat may be, in milliseconds: longer than any call. A later one was missed while the machine slept. */
const LATEST = CALL_TIMEOUT + 5_000;

/**
 * The longest sleep, in milliseconds. Timers stop while a machine sleeps, so this checks the clock soon after it wakes.
 */
const LONGEST_NAP = 60_000;

/** Reads only the message of a refusal: a newer server may have reasons that this version does not know. */
const sendBeats = {
  ...sendHeartbeats,
  response: HeartbeatsResult.extend({ refused: z.array(z.object({ message: z.string() })) }),
};

type Node = RetryContext & { call: Caller; queue: BeatQueue; deviceKey: string };

/** When the node beats and sends. Times are in milliseconds. */
type Rhythm = {
  /** In seconds, as the server says. */
  interval: number;
  /** Where in the interval this node beats, so that nodes that start together do not stay together. */
  share: number;
  lastBeat: number;
  nextBeat: number;
  /** The earliest time to send, and the wait before it. */
  sendAt: number;
  wait: number;
  failures: number;
  /** The most beats to send in one call. A slow line may not carry all that are waiting within a call's time. */
  most: number;
  /** Whether this address is known to be Nodebeat's, because it has counted beats. */
  isKnown: boolean;
};

/**
 * Beats once per interval and sends what the server has not confirmed, until the signal ends it. A beat is on disk
 * before it is sent, so that no outage on either side loses one. If a beat arrives twice, the server counts it once.
 * Throws CallFailed if the server refuses this machine.
 */
export async function beat(node: Node): Promise<void> {
  const { clock, queue, random, signal } = node;
  const start = clock.now().getTime();
  const rhythm = {
    interval: USUAL_INTERVAL,
    share: random() * 0.9,
    lastBeat: start,
    nextBeat: start,
    sendAt: start,
    wait: 0,
    failures: 0,
    most: MAX_BEATS_PER_BATCH,
    isKnown: false,
  };
  const { latest } = queue;
  // However often a start fails, only one beat per interval waits.
  if (latest && isSameSlot(latest, clock.now())) {
    rhythm.lastBeat = latest.getTime();
    rhythm.nextBeat = findNextBeat(rhythm);
  }
  while (!signal.aborted) {
    queueDueBeats(node, rhythm);
    if (queue.size > 0 && rhythm.sendAt <= clock.now().getTime()) await trySending(node, rhythm);
    const wakeAt = queue.size > 0 ? Math.min(rhythm.nextBeat, rhythm.sendAt) : rhythm.nextBeat;
    await clock.sleep(Math.min(LONGEST_NAP, Math.max(0, wakeAt - clock.now().getTime())), signal);
  }
}

function queueDueBeats({ clock, queue, report }: Node, rhythm: Rhythm) {
  const now = clock.now().getTime();
  // The last beat is in the future: the clock was ahead, and has been set back.
  if (rhythm.lastBeat > now) rhythm.nextBeat = now;
  rhythm.sendAt = Math.min(rhythm.sendAt, now + rhythm.wait);
  if (now - rhythm.nextBeat > LATEST) rhythm.nextBeat = now;
  while (rhythm.nextBeat <= now) {
    rhythm.lastBeat = rhythm.nextBeat;
    queue.add(new Date(rhythm.lastBeat));
    rhythm.nextBeat = findNextBeat(rhythm);
    if (rhythm.sendAt > now) report(`heartbeat saved, ${queue.waiting}`);
  }
}

const isSameSlot = (one: Date, other: Date) =>
  slotOf(one, USUAL_INTERVAL).getTime() === slotOf(other, USUAL_INTERVAL).getTime();

function findNextBeat({ interval, lastBeat, share }: Rhythm): number {
  return slotOf(new Date(lastBeat), interval).getTime() + (1 + share) * interval * 1000;
}

/** Whether the call may have been too long, rather than the server too busy. */
const isTooLong = ({ status }: CallFailed) => status === undefined || status === 413;

async function trySending({ call, clock, deviceKey, queue, random, report }: Node, rhythm: Rhythm) {
  const beats = queue.oldest(rhythm.most).map((timestamp) => ({ timestamp }));
  try {
    const result = await call(sendBeats, { token: deviceKey, body: { beats } });
    queue.remove(beats.length);
    for (const line of describeResult(result)) report(line);
    rhythm.interval = result.intervalSeconds;
    rhythm.nextBeat = findNextBeat(rhythm);
    rhythm.failures = 0;
    rhythm.most = Math.min(MAX_BEATS_PER_BATCH, rhythm.most * 2);
    rhythm.wait = 0;
    rhythm.isKnown = true;
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    // A shorter call can get through, whether the server or something in between refuses this one, even the very first.
    const canBeShorter = error.status === 413 && beats.length > 1;
    if (!error.isTemporary && !canBeShorter && !(error.isForeign && rhythm.isKnown)) throw error;
    if (isTooLong(error)) rhythm.most = Math.max(1, Math.floor(beats.length / 2));
    rhythm.wait = chooseWait(++rhythm.failures, error.retryAfter, random);
    rhythm.sendAt = clock.now().getTime() + rhythm.wait;
    report(`${error.message} (${queue.waiting}, next try in ${formatWait(rhythm.wait)})`);
  }
}
