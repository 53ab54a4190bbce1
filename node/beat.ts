import * as z from "zod";
import { HeartbeatsResult, MAX_BEATS_PER_BATCH, sendHeartbeats } from "../server/heartbeats/contract.ts";
import { slotOf } from "../server/heartbeats/beat-window.ts";
import { chooseWait } from "./back-off.ts";
import type { BeatQueue } from "./beat-queue.ts";
import { CallFailed, type Caller } from "./call.ts";
import { describeResult } from "./describe-result.ts";
import { formatWait, type Patience } from "./persist.ts";

/** Seconds between two beats until the server has said otherwise. */
const USUAL_INTERVAL = 900;

/** Milliseconds. A beat that is more overdue than any call takes was missed by a machine that slept. */
export const CALL_TIMEOUT = 10_000;
const LATEST = CALL_TIMEOUT + 5_000;

/** Milliseconds. Timers stand still while a machine sleeps: soon after it wakes, the clock is looked at again. */
const LONGEST_NAP = 60_000;

/** Of a refusal only its words are read: a newer server may have reasons that this version does not know. */
const sendBeats = {
  ...sendHeartbeats,
  response: HeartbeatsResult.extend({ refused: z.array(z.object({ message: z.string() })) }),
};

type Node = Patience & { call: Caller; queue: BeatQueue; deviceKey: string };

/** When the node beats and sends, in milliseconds. */
type Rhythm = {
  /** Seconds, as the server says. */
  interval: number;
  /** Where in the interval this node beats: nodes that start together do not stay together. */
  share: number;
  lastBeat: number;
  nextBeat: number;
  /** Not before, and what was waited for it to come. */
  sendAt: number;
  wait: number;
  failures: number;
  /** How many go into one call: a slow line may not carry all that waits in the time of one. */
  most: number;
  /** Whether there is Nodebeat at this address, which has counted beats. */
  isKnown: boolean;
};

/**
 * Beats once an interval and sends what the server has not confirmed, until the signal ends it. A beat is on disk
 * before it is sent, so that an outage on either side loses none; one that comes twice, the server counts once.
 * Throws CallFailed when the server refuses this machine.
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
  // However often a start fails, only one beat of an interval waits.
  if (latest && isSameSlot(latest, clock.now())) {
    rhythm.lastBeat = latest.getTime();
    rhythm.nextBeat = findNextBeat(rhythm);
  }
  while (!signal.aborted) {
    keepDueBeats(node, rhythm);
    if (queue.size > 0 && rhythm.sendAt <= clock.now().getTime()) await trySending(node, rhythm);
    const wakeAt = queue.size > 0 ? Math.min(rhythm.nextBeat, rhythm.sendAt) : rhythm.nextBeat;
    await clock.sleep(Math.min(LONGEST_NAP, Math.max(0, wakeAt - clock.now().getTime())), signal);
  }
}

function keepDueBeats({ clock, queue, report }: Node, rhythm: Rhythm) {
  const now = clock.now().getTime();
  // The last beat is yet to come: the clock was ahead, and has been put back.
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

/** What says that a call may have been too long, rather than that the server has no time. */
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
    const isTemporary = error instanceof CallFailed && (error.isTemporary || (rhythm.isKnown && error.isForeign));
    if (!isTemporary) throw error;
    if (isTooLong(error)) rhythm.most = Math.max(1, Math.floor(rhythm.most / 2));
    rhythm.wait = chooseWait(++rhythm.failures, error.retryAfter, random);
    rhythm.sendAt = clock.now().getTime() + rhythm.wait;
    report(`${error.message} (${queue.waiting}, next try in ${formatWait(rhythm.wait)})`);
  }
}
