import { pino, type DestinationStream, type Logger } from "pino";
import { joinRequest } from "./current-request.ts";
import { redactLine, redactValues } from "./redaction.ts";

export type { Logger } from "pino";

type LogOptions = {
  level: string;
  /** Where lines go; standard output unless given. */
  destination?: DestinationStream;
};

/** The process's log: one JSON object a line, without secrets or e-mail addresses whatever is passed to it. */
export function createLog({ level, destination = openStandardOutput() }: LogOptions): Logger {
  return pino(
    {
      level,
      base: null,
      mixin: joinRequest,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: redactValues },
      // What is no error, such as a summary of one, is written as it is.
      serializers: {
        err: (error: unknown) => (error instanceof Error ? redactValues({ ...pino.stdSerializers.err(error) }) : error),
      },
      hooks: { streamWrite: redactLine },
    },
    destination,
  );
}

/** Characters that wait for a disk to have room again. What comes after them is lost. */
const MOST_WAITING = 16_000_000;

/**
 * Writing in batches spares a system call per request; what is left is written when the process ends. Where nothing can
 * be written, as on a full disk, it is not flushed: the library would try forever, and the server would answer nobody.
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
  // The same holds for what is printed beside the log.
  process.stdout.on("error", () => {});
  process.once("exit", () => output.flushSync());
  return output;
}
