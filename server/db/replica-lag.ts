/** Positions of the primary that are remembered until the replica has them. */
const MOST = 600;

/**
 * By how much time a replica is behind: it was at most so long ago that the primary was where the replica is now. It
 * goes by this process's own clock alone, and grows as well when nobody says anything.
 */
export class ReplicaLag {
  #reachedAt = -Infinity;
  #latest = 0n;
  #ahead: { position: bigint; at: number }[] = [];

  /** The primary was there at a time. Where that is behind where it was, as after a restore, it is in another log. */
  note(position: bigint, at: number): void {
    if (position < this.#latest) {
      this.#ahead = [];
      this.forget();
    }
    this.#latest = position;
    if (this.#ahead.length < MOST) this.#ahead.push({ position, at });
  }

  /** The replica is there now. */
  reach(position: bigint): void {
    while (this.#ahead[0] && this.#ahead[0].position <= position)
      this.#reachedAt = this.#ahead.shift()?.at ?? this.#reachedAt;
  }

  /** It is another replica. */
  forget(): void {
    this.#reachedAt = -Infinity;
  }

  get milliseconds(): number {
    return performance.now() - this.#reachedAt;
  }
}
