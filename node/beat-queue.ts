import { appendFileSync } from "node:fs";
import { describeFileError, OWNER_ONLY, readIfThere, replaceFile } from "./files.ts";
import { formatPoints } from "../server/points/rules.ts";
import { NodeProblem } from "./problem.ts";

export type BeatQueue = ReturnType<typeof openBeatQueue>;

/**
 * The beats that the server has not confirmed, oldest first, in a file with one timestamp a line. They outlive the
 * process: each is on disk before it is sent. Where the disk takes none, they wait in memory, and that is reported.
 * Which of them are too old to count, the server says: this machine's clock may be wrong.
 * Throws NodeProblem for a file that cannot be read.
 */
export function openBeatQueue(path: string, report: (line: string) => void) {
  const found = read(path);
  let beats = found.split("\n").filter(isBeat);
  /** Whether the file has all of them. */
  let isKept = true;
  /** Whether it has nothing else: what was sent already, or half a line. */
  let isClean = found === format(beats);
  let isTold = false;

  function keep(write: () => void) {
    try {
      write();
      if (isTold) report(`heartbeats are saved in ${path} again`);
      isKept = true;
      isClean = true;
      isTold = false;
    } catch (error) {
      isClean = false;
      // What was sent may be left in the file: it would be sent twice, and counts once.
      if (isKept || isTold) return;
      isTold = true;
      report(`heartbeats cannot be saved in ${path} and wait in memory (${describeFileError(error)})`);
    }
  }

  return {
    get size() {
      return beats.length;
    },
    /** `1.200 waiting`. */
    get waiting() {
      return `${formatPoints(beats.length)} waiting`;
    },
    get latest(): Date | undefined {
      const beat = beats.at(-1);
      return beat === undefined ? undefined : new Date(beat);
    },
    /** Whether the next start finds what waits. */
    get isKept() {
      return isKept;
    },
    add(beatAt: Date) {
      const beat = beatAt.toISOString();
      beats.push(beat);
      const append = () => appendFileSync(path, format([beat]), { mode: OWNER_ONLY, flush: true });
      isKept = false;
      keep(isClean ? append : () => replaceFile(path, format(beats)));
    },
    /** The oldest beats, as many as there are up to `count`. */
    oldest: (count: number) => beats.slice(0, count),
    /** Forgets the oldest beats. */
    remove(count: number) {
      beats = beats.slice(count);
      keep(() => replaceFile(path, format(beats)));
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

/** Not a line that was cut short: nobody was told that it is a beat. */
function isBeat(line: string): boolean {
  const time = Date.parse(line);
  return !Number.isNaN(time) && new Date(time).toISOString() === line;
}
