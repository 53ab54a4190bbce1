import { pino, type DestinationStream, type Logger } from "pino";
import { addRequestId } from "./current-request.ts";
import { redactLine, redactValues } from "./redaction.ts";

export type { Logger } from "pino";

type LogOptions = {
  level: string;
  /** Where lines are written. Defaults to standard output. */
  destination?: DestinationStream;
};

/**
 * Creates the process's log: one JSON object per line, without secrets or email addresses, whatever is passed to it.
 */
export function createLog({ level, destination = openStandardOutput() }: LogOptions): Logger {
  return pino(
    {
      level,
      base: null,
      mixin: addRequestId,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: redactValues },
      // Values that are not errors, such as a summary of one, are written unchanged.
      serializers: {
        err: (error: unknown) => (error instanceof Error ? redactValues({ ...pino.stdSerializers.err(error) }) : error),
      },
      hooks: { streamWrite: redactLine },
    },
    destination,
  );
}

/** How many characters may wait while the disk is full. Anything beyond that is lost. */
const MOST_WAITING = 16_000_000;

/**
 * Opens standard output for the log. Lines are written in batches, which saves a system call per request. The remaining
 * ones are written when the process ends. If nothing can be written, as on a full disk, nothing is flushed: pino would
 * retry forever, and the server would stop answering.
 */
function openStandardOutput(): DestinationStream {
  const output = pino.destination({
    fd: 1,
    sync: false,
    minLength: 4096,
    periodicFlush: 200,
    maxLength: MOST_WAITING,
  });
  let isStuck = false;
  output.on("error", () => (isStuck = true)).on("write", () => (isStuck = false));
  const flush = output.flushSync.bind(output);
  output.flushSync = () => {
    if (!isStuck) flush();
  };
  // The same can happen to console output, and without a listener it would end the process.
  process.stdout.on("error", () => {});
  process.once("exit", () => output.flushSync());
  return output;
}
