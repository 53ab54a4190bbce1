export type SimulatedClock = ReturnType<typeof createSimulatedClock>;

/**
 * A clock in milliseconds that does not move by itself. It starts in the past, because database triggers use the
 * database's own clock to decide what may be deleted: whatever is old in the simulation is old for them, too.
 */
export function createSimulatedClock(start = Date.parse("2026-07-20T12:00:00.000Z")) {
  let time = start;
  let latest = start;

  /** Moves the clock forwards, or backwards for a jump. */
  function advance(milliseconds: number) {
    time += milliseconds;
    latest = Math.max(latest, time);
  }
  return {
    now: () => new Date(time),
    advance,
    /** Returns the latest time it has ever had: whatever was cleared by then stays gone, even after a jump back. */
    latest: () => latest,
    elapsed: () => time - start,
  };
}
