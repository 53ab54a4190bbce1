import { endsWithin } from "../../ends-within.ts";
import { SECRETS, type Env } from "../../env.ts";
import { StartError } from "../../start-error.ts";

/** What was looked at, how it is, and what to do about it where that is something. */
export type Check = { name: string; state: "ok" | "warning" | "broken"; says: string; todo?: string };

export type Surroundings = {
  /** The settings as far as they can be read. */
  env: Env;
  /** As they were given, with secrets that came from files. */
  given: Readonly<Record<string, string | undefined>>;
  /** What is wrong with them, a sentence each. */
  problems: string[];
  /** Whom a mail is sent to that shows that mail arrives. */
  sendTo: string | undefined;
};

/** Looks at one thing. What it throws means that the thing is broken. */
export type Examination = { name: string; look: (around: Surroundings) => Promise<Check[]> };

/** Milliseconds that one may take. */
const LIMIT = 15_000;

/** All of them at once, each within its time. Secrets are taken out of whatever comes of it. */
export async function examineAll(examinations: Examination[], around: Surroundings, limit = LIMIT) {
  const hide = createHide(around.given);
  const found = await Promise.all(examinations.map((each) => examineWithin(each, around, limit)));
  return found.flat().map(({ name, state, says, todo }): Check => {
    const told = { name, state, says: hide(says) };
    return todo ? Object.assign(told, { todo: hide(todo) }) : told;
  });
}

async function examineWithin({ name, look }: Examination, around: Surroundings, limit: number): Promise<Check[]> {
  try {
    const found = look(around);
    if (await endsWithin(limit, found)) return await found;
    const says = `No answer came within ${limit / 1000} s.`;
    return [{ name, state: "broken", says, todo: "Check whether a firewall is in the way." }];
  } catch (error) {
    return [{ name, state: "broken", says: explain(error) }];
  }
}

/** An error as a sentence, with what caused it. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Complete as it is.
  if (error instanceof StartError) return error.message;
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  const cause = inner instanceof Error ? ` (${explain(inner)})` : "";
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  return (error.message || code) + cause;
}

/** Takes every secret out of a text, and the passwords of addresses. */
function createHide(given: Surroundings["given"]) {
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

/** A percent sign that encodes nothing stands for itself, as it does where the server takes the address. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
