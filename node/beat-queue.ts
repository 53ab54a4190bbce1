import { describeFileError, readIfThere, replaceFile, writeToDisk } from "./files.ts";
import { formatPoints } from "../server/points/rules.ts";
import { NodeProblem } from "./problem.ts";

export type BeatQueue = ReturnType<typeof openBeatQueue>;

/**
 * Opens the queue of beats that the server has not confirmed, oldest first, in a file with one timestamp per line.
 * Beats outlive the process, because each is on disk before it is sent. If they cannot be written to disk, they wait in
 * memory, and that is reported. The server decides which of them are too old to count, because this machine's clock may
 * be wrong. Throws NodeProblem if the file cannot be read.
 */
export function openBeatQueue(path: string, report: (line: string) => void) {
  const found = read(path);
  let beats = found.split("\n").filter(isBeat);
  /** Whether the file has all beats. */
  let isPersisted = true;
  /** Whether the file has nothing else: no beats that were sent already, and no half line. */
  let isClean = found === format(beats);
  let isReported = false;

  function persist(write: () => void) {
    try {
      write();
      if (isReported) report(`heartbeats are saved in ${path} again`);
      isPersisted = true;
      isClean = true;
      isReported = false;
    } catch (error) {
      isClean = false;
      // The file may still have beats that were sent. They would be sent twice, and count once.
      if (isPersisted || isReported) return;
      isReported = true;
      report(`heartbeats cannot be saved in ${path} and wait in memory (${describeFileError(error)})`);
    }
  }

  return {
    get size() {
      return beats.length;
    },
    /** How many beats wait, such as `1.200 waiting`. */
    get waiting() {
      return `${formatPoints(beats.length)} waiting`;
    },
    get latest(): Date | undefined {
      const beat = beats.at(-1);
      return beat === undefined ? undefined : new Date(beat);
    },
    /** Whether the next start will find the beats that wait. */
    get isPersisted() {
      return isPersisted;
    },
    add(beatAt: Date) {
      const beat = beatAt.toISOString();
      beats.push(beat);
      const append = () => writeToDisk(path, format([beat]), "a");
      isPersisted = false;
      persist(isClean ? append : () => replaceFile(path, format(beats)));
    },
    /** Returns the oldest beats, up to `count` of them. */
    oldest: (count: number) => beats.slice(0, count),
    /** Forgets the oldest beats. */
    remove(count: number) {
      beats = beats.slice(count);
      persist(() => replaceFile(path, format(beats)));
    },
  };
}

function read(path: string): string {
  try {
    return readIfThere(path) ?? "";
  } catch (cause) {
    const remedy = "Give this user access to it, or choose another folder with --folder.";
    throw new NodeProblem(`${path} cannot be read (${describeFileError(cause)}). ${remedy}`, { cause });
  }
}

const format = (beats: string[]) => beats.map((beat) => `${beat}\n`).join("");

/**
 * Whether a line is a whole timestamp. A line that was cut short is none: its beat was never reported as saved. A year
 * of more than four digits, from a clock that was wrong, would make the server refuse everything that waits with it.
 */
function isBeat(line: string): boolean {
  const time = /^\d{4}-/.test(line) ? Date.parse(line) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString() === line;
}
