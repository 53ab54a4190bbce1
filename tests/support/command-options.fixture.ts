import { pathToFileURL } from "node:url";

/*
 * Runs commands one after the other, each as in its own process, up to the point where it would end the process. What
 * they share, which is nearly the whole application, is loaded only once. The argument says what to run, with which
 * option.
 */

export type Typed = { file: string; option: string };

class Ended extends Error {
  readonly code: unknown;
  constructor(code: unknown) {
    super();
    this.code = code;
  }
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the test that starts it
const commands = JSON.parse(process.argv[2] ?? "[]") as Typed[];
const exit = process.exit.bind(process);
const write = process.stdout.write.bind(process.stdout);
let said = "";
for (const stream of [process.stdout, process.stderr])
  stream.write = (text: string | Uint8Array) => {
    said += String(text);
    return true;
  };
process.exit = (code) => {
  throw new Ended(code);
};

for (const [nth, { file, option }] of commands.entries()) {
  said = "";
  process.argv = [process.execPath, file, option];
  const code = await import(`${pathToFileURL(file).href}?${nth}`).then(
    () => "It goes on",
    (error: unknown) => (error instanceof Ended ? error.code : String(error)),
  );
  write(`${JSON.stringify({ code, said })}\n`);
}
exit();
