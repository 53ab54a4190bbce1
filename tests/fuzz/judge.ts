/** What came back for an input. */
export type Answer = { status: number; headers: Headers; text: string; milliseconds: number };

export const MAX_MS = 2_000;

/** What only the inside of the server knows: where its files are, what it asks its database, what it runs on. */
const INSIDES =
  /\bat [^\n<]{0,200}\.[cm]?[jt]sx?:\d+|node_modules\/|\b(?:select|insert into|update|delete from)\s+"\w+"|violates \w+[ -]\w+ constraint|relation "\w+" does not|syntax error at or near|PGlite|drizzle/i;

/** What is wrong with an answer; nothing, for most. `secrets` are what this caller must not be told. */
export function judge({ headers, milliseconds, status, text }: Answer, sent: string, secrets: string[]): string[] {
  const told = `${[...headers].map((line) => line.join(": ")).join("\n")}\n${text}`;
  // What the sender wrote may come back to them.
  const inside = INSIDES.exec(told)?.[0];
  const secret = secrets.find((each) => told.includes(each));
  return [
    ...(status >= 500 ? [`answered ${status}`] : []),
    ...(inside && !sent.includes(inside) ? [`tells of its insides: ${inside.slice(0, 80)}`] : []),
    ...(secret && !sent.includes(secret) ? ["tells what is somebody else's"] : []),
    ...(milliseconds > MAX_MS ? [`took ${Math.round(milliseconds)} ms`] : []),
  ];
}

/** The lines of a server's log that are errors: what a client sends must not fill it with these either. */
export const findErrors = (log: string): string[] =>
  log.split("\n").filter((line) => /^\{"level":"(?:error|fatal)"/.test(line));
