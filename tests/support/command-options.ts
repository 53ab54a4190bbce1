import { parseArgs, type ParseArgsConfig } from "node:util";

const HELP = { help: { type: "boolean", short: "h" } } as const;

/**
 * Parses the arguments of a command. With --help it prints the usage and exits. With unknown arguments it prints the
 * usage, too, and exits with code 2.
 */
export function readOptions<const Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  if (!asksForHelp(usage, config)) return parseArgs(config);
  process.stdout.write(`${usage}\n`);
  return process.exit(0);
}

/** Parses a whole number of at least `least`. If the value is not one, prints an error and exits with code 2. */
export function readNumber(name: string, value: string, least = 1): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= least) return number;
  return refuse(`${name} has to be a whole number of ${least} or more, and not "${value}".`);
}

/** Prints what is wrong with a command's arguments, and exits with code 2. */
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
