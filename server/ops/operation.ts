import type * as z from "zod";
import type { Act } from "../administration/actor.ts";
import type { Deps } from "../deps.ts";
import type { Secrets } from "../secrets/secrets.ts";

/** What operations need, in whichever process they run: a database and a clock. */
export type OpsDeps = Pick<Deps, "db" | "now"> & {
  /** The server's status board. The command's own process has none. */
  status?: Deps["status"];
  /** The installation's secrets, if the process knows them. */
  secrets?: () => Promise<Secrets>;
  /** Whether webhooks may call this machine or its network. */
  webhooksToPrivate?: boolean;
  /** Reports the progress of a long operation. */
  report?: (line: string) => void;
};

/** What an operation gets that is about the installation itself. */
export type Home = {
  /** The settings that the command was given. */
  settings: Readonly<Record<string, string | undefined>>;
  /** Reports progress. */
  report: (text: string) => void;
};

/** The command line makes no sense. */
export class WrongUse extends Error {
  override name = "WrongUse";
}

/** How an option's value is written: as text, as a number, as text or "none" for null, or as a flag without a value. */
export type OptionKind = "text" | "number" | "nullable" | "flag";

/** The arguments after noun and verb, by name. The last word may take several values ("emails…"). */
type Arguments = {
  words?: readonly string[];
  options?: Readonly<Record<string, OptionKind>>;
};

type Definition<Schema extends z.ZodType, Result> = Arguments & {
  /** The arguments as help shows them, without noun and verb. */
  usage: string;
  summary: string;
  /** The input as it is sent to the process that performs the operation, which may be another one. */
  input: Schema;
  /** Turns what was typed into the input if the two differ. May read files. */
  prepare?: (typed: Record<string, unknown>, settings: Home["settings"]) => unknown;
  /** Describes the result for people, one line per item. */
  describe: (result: Result) => string[];
  /** Whether part of the request was not done, or something is not as it should be. */
  isRefused?: (result: Result) => boolean;
};

type Reading<Schema extends z.ZodType, Result> = Definition<Schema, Result> & {
  read: (deps: OpsDeps, input: z.output<Schema>) => Promise<Result>;
};
type Changing<Schema extends z.ZodType, Result> = Definition<Schema, Result> & {
  /** Takes a reason, which goes into the audit log. */
  change: (deps: OpsDeps, act: Act, input: z.output<Schema>) => Promise<Result>;
};
type AtHome<Schema extends z.ZodType, Result> = Definition<Schema, Result> & {
  perform: (home: Home, input: z.output<Schema>) => Promise<Result>;
};

/** An operation. It checks its input against its own schema before it does anything. */
export type Operation = Omit<Definition<z.ZodType, never>, "describe" | "isRefused"> & {
  isChange: boolean;
  /** `act` is set for operations that change something. */
  run?: (deps: OpsDeps, input: unknown, act: Act | undefined) => Promise<unknown>;
  /** Used instead of `run`: the command's own process performs the operation, and opens what it needs. */
  perform?: (home: Home, input: unknown) => Promise<unknown>;
  describe: (result: unknown) => string[];
  isRefused: (result: unknown) => boolean;
};

/** `alone`: the verb to use if none was given. */
export type Noun = { summary: string; alone?: string; verbs: Readonly<Record<string, Operation>> };

/** Defines an operation that takes no reason: it only reads, or what it writes means the same as before. */
export const reading = <Schema extends z.ZodType, Result>(definition: Reading<Schema, Result>): Operation => ({
  ...erase(definition),
  run: (deps, input) => definition.read(deps, definition.input.parse(input)),
});

/** Defines an operation that changes something, for a reason. */
export const changing = <Schema extends z.ZodType, Result>(definition: Changing<Schema, Result>): Operation => ({
  ...erase(definition),
  run(deps, input, act) {
    if (!act) throw new Error("What changes something has somebody who does it");
    return definition.change(deps, act, definition.input.parse(input));
  },
  isChange: true,
});

/** Defines an operation on the installation itself: its database as a whole, its settings, its surroundings. */
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
