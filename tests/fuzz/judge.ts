/** The response to an input. */
export type FuzzResponse = { status: number; headers: Headers; text: string; milliseconds: number };

export const MAX_MS = 2_000;

/** Matches what only the server's internals know: file paths, database queries, and the software it runs on. */
const INSIDES =
  /\bat [^\n<]{0,200}\.[cm]?[jt]sx?:\d+|node_modules\/|\b(?:select|insert into|update|delete from)\s+"\w+"|violates \w+[ -]\w+ constraint|relation "\w+" does not|syntax error at or near|PGlite|drizzle/i;

/** Returns what is wrong with a response, usually nothing. `secrets` is what this caller must not see. */
export function judge(
  { headers, milliseconds, status, text }: FuzzResponse,
  sent: string,
  secrets: string[],
): string[] {
  const visible = `${[...headers].map((line) => line.join(": ")).join("\n")}\n${text}`;
  // The response may repeat what the sender wrote.
  const inside = INSIDES.exec(visible)?.[0];
  const secret = secrets.find((each) => visible.includes(each));
  return [
    ...(status >= 500 ? [`answered ${status}`] : []),
    ...(inside && !sent.includes(inside) ? [`tells of its insides: ${inside.slice(0, 80)}`] : []),
    ...(secret && !sent.includes(secret) ? ["tells what is somebody else's"] : []),
    ...(milliseconds > MAX_MS ? [`took ${Math.round(milliseconds)} ms`] : []),
  ];
}

/** Returns the errors in a server's log: input from clients must not cause any. */
export const findErrors = (log: string): string[] =>
  log.split("\n").filter((line) => /^\{"level":"(?:error|fatal)"/.test(line));
