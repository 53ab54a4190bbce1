import { parseArgs, type ParseArgsConfig } from "node:util";

const HELP = { help: { type: "boolean", short: "h" } } as const;

/**
 * What a command was told. With --help it says how it is used and ends; where it was told what it does not know, it
 * says that, too, and ends with exit code 2.
 */
export function readOptions<const Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  if (!asksForHelp(usage, config)) return parseArgs(config);
  process.stdout.write(`${usage}\n`);
  return process.exit(0);
}

/** A whole number that something was given as, of `least` or more. Ends as for what is not known where it is none. */
export function readNumber(name: string, value: string, least = 1): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= least) return number;
  return refuse(`${name} has to be a whole number of ${least} or more, and not "${value}".`);
}

/** Says what is wrong with what a command was told, and ends it with exit code 2. */
export function refuse(sentence: string): never {
  process.stderr.write(`${sentence} Try --help.\n`);
  return process.exit(2);
}

function asksForHelp(usage: string, config: ParseArgsConfig): boolean {
  try {
    return parseArgs({ ...config, options: { ...config.options, ...HELP } }).values.help === true;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : ""}\n\n${usage}\n`);
    return process.exit(2);
  }
}
