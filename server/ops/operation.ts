import type * as z from "zod";
import type { Act } from "../administration/actor.ts";
import type { Deps } from "../deps.ts";
import type { Secrets } from "../secrets/secrets.ts";

/** What operations need, whichever process has it: a database and a clock. */
export type OpsDeps = Pick<Deps, "db" | "now"> & {
  /** The server's status board. The command by itself has none. */
  status?: Deps["status"];
  /** The installation's, where the process knows them. */
  secrets?: () => Promise<Secrets>;
  /** Whether webhooks may go to this machine or its network. */
  webhooksToPrivate?: boolean;
  /** Where what takes long says how far it is. */
  tell?: (line: string) => void;
};

/** What an operation has that is about the installation itself. */
export type Home = {
  /** The settings that the command was given. */
  settings: Readonly<Record<string, string | undefined>>;
  /** Tells how far it is. */
  say: (text: string) => void;
};

/** What was typed makes no sense. */
export class WrongUse extends Error {
  override name = "WrongUse";
}

/** How an option is written: as it is, as a number, as "none" for nothing, or as a flag that is there or not. */
export type OptionKind = "text" | "number" | "nullable" | "flag";

/** What stands after noun and verb, by name: the last word may be there more than once ("emails…"). */
type Arguments = {
  words?: readonly string[];
  options?: Readonly<Record<string, OptionKind>>;
};

type Definition<Schema extends z.ZodType, Result> = Arguments & {
  /** As help shows it, without noun and verb. */
  usage: string;
  summary: string;
  /** What is sent to who does it, which may be another process. */
  input: Schema;
  /** Makes the input of what was typed, where that is not the same; reads files. */
  prepare?: (typed: Record<string, unknown>, settings: Home["settings"]) => unknown;
  /** For people, a line each. */
  describe: (result: Result) => string[];
  /** Whether something of what was asked for was not done, or is not as it should be. */
  isRefused?: (result: Result) => boolean;
};

type Reading<Schema extends z.ZodType, Result> = Definition<Schema, Result> & {
  read: (deps: OpsDeps, input: z.output<Schema>) => Promise<Result>;
};
type Changing<Schema extends z.ZodType, Result> = Definition<Schema, Result> & {
  /** Takes a reason, which is written down. */
  change: (deps: OpsDeps, act: Act, input: z.output<Schema>) => Promise<Result>;
};
type AtHome<Schema extends z.ZodType, Result> = Definition<Schema, Result> & {
  perform: (home: Home, input: z.output<Schema>) => Promise<Result>;
};

/** An operation whose input is checked by its own schema before anything is done. */
export type Operation = Omit<Definition<z.ZodType, never>, "describe" | "isRefused"> & {
  isChange: boolean;
  /** `act` is there for what changes something. */
  run?: (deps: OpsDeps, input: unknown, act: Act | undefined) => Promise<unknown>;
  /** In place of `run`: by the command's own process, which opens what it needs. */
  perform?: (home: Home, input: unknown) => Promise<unknown>;
  describe: (result: unknown) => string[];
  isRefused: (result: unknown) => boolean;
};

/** `alone`: the verb that is meant where none is said. */
export type Noun = { summary: string; alone?: string; verbs: Readonly<Record<string, Operation>> };

/** An operation that takes no reason: it only reads, or what it writes says the same as before. */
export const reading = <Schema extends z.ZodType, Result>(definition: Reading<Schema, Result>): Operation => ({
  ...erase(definition),
  run: (deps, input) => definition.read(deps, definition.input.parse(input)),
});

/** An operation that changes something, for a reason. */
export const changing = <Schema extends z.ZodType, Result>(definition: Changing<Schema, Result>): Operation => ({
  ...erase(definition),
  run(deps, input, act) {
    if (!act) throw new Error("What changes something has somebody who does it");
    return definition.change(deps, act, definition.input.parse(input));
  },
  isChange: true,
});

/** An operation about the installation itself: its database as a whole, its settings, its surroundings. */
export const atHome = <Schema extends z.ZodType, Result>(definition: AtHome<Schema, Result>): Operation => ({
  ...erase(definition),
  perform: (home, input) => definition.perform(home, definition.input.parse(input)),
});

/* oxlint-disable typescript/no-unsafe-type-assertion -- a result comes from the same definition, as JSON or not */
const erase = <Result>({ describe, isRefused, ...definition }: Definition<z.ZodType, Result>): Operation => ({
  ...definition,
  isChange: false,
  describe: (result) => describe(result as Result),
  isRefused: (result) => isRefused?.(result as Result) ?? false,
});
/* oxlint-enable typescript/no-unsafe-type-assertion */
