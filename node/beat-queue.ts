import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { MAX_AGE_MS } from "../server/heartbeats/beat-window.ts";

export type BeatQueue = ReturnType<typeof openBeatQueue>;

const OWNER_ONLY = 0o600;

/**
 * The beats that the server has not confirmed, oldest first, in a file with one timestamp a line. They outlive the
 * process: each is on disk before it is sent. Beats that are too old to count are left behind.
 */
export function openBeatQueue(path: string, now: Date) {
  let beats = existsSync(path)
    ? readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => isRecent(line, now))
    : [];
  save();

  /** Never half a file: the new one takes the place of the old one in one step. */
  function save() {
    const next = `${path}.next`;
    writeFileSync(next, beats.map((beat) => `${beat}\n`).join(""), { mode: OWNER_ONLY });
    renameSync(next, path);
  }

  return {
    get size() {
      return beats.length;
    },
    add(beatAt: Date) {
      const beat = beatAt.toISOString();
      appendFileSync(path, `${beat}\n`, { mode: OWNER_ONLY });
      beats.push(beat);
    },
    /** The oldest beats, as many as there are up to `count`. */
    oldest: (count: number) => beats.slice(0, count),
    /** Forgets the oldest beats. */
    remove(count: number) {
      beats = beats.slice(count);
      save();
    },
  };
}

/** Not for a line that was cut short, either: nobody was told that it is a beat. */
function isRecent(line: string, now: Date): boolean {
  const time = Date.parse(line);
  return now.getTime() - time <= MAX_AGE_MS && new Date(time).toISOString() === line;
}
