/** How many positions of the primary to remember until the replica reaches them. */
const MOST = 600;

/**
 * How far a replica is behind, at most: how long ago the primary was at the replica's current position. Measured by
 * this process's own clock alone. It keeps growing while either server is silent.
 */
export class ReplicaLag {
  #reachedAt = -Infinity;
  #latest = 0n;
  #ahead: { position: bigint; at: number }[] = [];

  /**
   * Records where the primary was at a given time. If that is behind an earlier position, as after a restore, the
   * primary now writes a different log.
   */
  note(position: bigint, at: number): void {
    if (position < this.#latest) {
      this.#ahead = [];
      this.forget();
    }
    this.#latest = position;
    if (this.#ahead.length < MOST) this.#ahead.push({ position, at });
  }

  /** Records where the replica is now. */
  reach(position: bigint): void {
    while (this.#ahead[0] && this.#ahead[0].position <= position)
      this.#reachedAt = this.#ahead.shift()?.at ?? this.#reachedAt;
  }

  /** Forgets the lag, because this is another replica. */
  forget(): void {
    this.#reachedAt = -Infinity;
  }

  get milliseconds(): number {
    return performance.now() - this.#reachedAt;
  }
}
