export type SimulatedClock = ReturnType<typeof createSimulatedClock>;

/**
 * Times in milliseconds. Nothing passes by itself. It begins in the past, since triggers go by the database's own clock
 * in what they let go: whatever is old in the simulation is so for them.
 */
export function createSimulatedClock(start = Date.parse("2026-07-20T12:00:00.000Z")) {
  let time = start;
  let latest = start;

  /** Forwards, and as a jump also backwards. */
  function advance(milliseconds: number) {
    time += milliseconds;
    latest = Math.max(latest, time);
  }
  return {
    now: () => new Date(time),
    advance,
    /** The furthest that it has ever been: whatever was cleared away by then is gone, also after a jump back. */
    latest: () => latest,
    elapsed: () => time - start,
  };
}
