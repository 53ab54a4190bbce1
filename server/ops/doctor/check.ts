import { endsWithin } from "../../ends-within.ts";
import { SECRETS, type Env } from "../../env.ts";
import { StartError } from "../../start-error.ts";

/** The result of one check: what was checked, its state, and what to do about it if anything. */
export type Check = { name: string; state: "ok" | "warning" | "broken"; says: string; todo?: string };

export type Surroundings = {
  /** The settings as far as they can be read. */
  env: Env;
  /** The settings as they were given, with the secrets that came from files. */
  given: Readonly<Record<string, string | undefined>>;
  /** What is wrong with the settings, one sentence each. */
  problems: string[];
  /** The recipient of a test email, if one was asked for. */
  sendTo: string | undefined;
};

/** Checks one thing. If `examine` throws, that thing is broken. */
export type Examination = { name: string; examine: (around: Surroundings) => Promise<Check[]> };

/** How long one examination may take, in milliseconds. */
const LIMIT = 15_000;

/** Runs all examinations at once, each within the limit. Removes secrets from the results. */
export async function examineAll(examinations: Examination[], around: Surroundings, limit = LIMIT) {
  const hide = createRedactor(around.given);
  const found = await Promise.all(examinations.map((each) => examineWithin(each, around, limit)));
  return found.flat().map(({ name, state, says, todo }): Check => {
    const shown = { name, state, says: hide(says) };
    return todo ? Object.assign(shown, { todo: hide(todo) }) : shown;
  });
}

async function examineWithin({ name, examine }: Examination, around: Surroundings, limit: number): Promise<Check[]> {
  try {
    const found = examine(around);
    if (await endsWithin(limit, found)) return await found;
    const says = `No answer came within ${limit / 1000} s.`;
    return [{ name, state: "broken", says, todo: "Check whether a firewall is in the way." }];
  } catch (error) {
    return [{ name, state: "broken", says: explain(error) }];
  }
}

/** Describes an error and its cause in a sentence. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The message is complete as it is.
  if (error instanceof StartError) return error.message;
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  const cause = inner instanceof Error ? ` (${explain(inner)})` : "";
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  return (error.message || code) + cause;
}

/** Creates a function that removes every secret from a text, and the passwords in URLs. */
function createRedactor(given: Surroundings["given"]) {
  const values = SECRETS.flatMap((name) => given[name] ?? []).flatMap((value) =>
    [value].concat(value.split(","), passwordsOf(value)),
  );
  const secrets = values.map((value) => value.trim()).filter(({ length }) => length >= 4);
  const longestFirst = secrets.sort((a, b) => b.length - a.length);
  return (text: string) => longestFirst.reduce((left, secret) => left.replaceAll(secret, "…"), text);
}

function passwordsOf(value: string): string[] {
  const password = URL.parse(value)?.password;
  return password ? [password, decode(password)] : [];
}

/**
 * Decodes a password. Returns it unchanged if a percent sign in it encodes nothing, as when the server reads the URL.
 */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
