import { parseArgs, type ParseArgsConfig } from "node:util";

const HELP = { help: { type: "boolean", short: "h" } } as const;

/**
 * What a command was told. With --help it says how it is used and ends; where it was told what it does not know, it says
 * that, too, and ends with exit code 2.
 */
export function readOptions<const Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  if (!asksForHelp(usage, config)) return parseArgs(config);
  process.stdout.write(`${usage}\n`);
  return process.exit(0);
}

function asksForHelp(usage: string, config: ParseArgsConfig): boolean {
  try {
    return parseArgs({ ...config, options: { ...config.options, ...HELP } }).values.help === true;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : ""}\n\n${usage}\n`);
    return process.exit(2);
  }
}
