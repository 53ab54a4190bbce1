import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { AppRequest, AppResponse, AppOptions, Seeds } from "../app-messages.ts";
import { QUICK_ENGINE } from "./quick-engine.ts";

/** Where Node caches compiled code and stripped types. Node checks that the source is unchanged. */
const CODE = fileURLToPath(new URL("../../../node_modules/.cache/node", import.meta.url));

/** A running server with its own database, in its own process, and a way to seed it through its services. */
export type RunningApp = {
  url: string;
  pid: number;
  seed: { [Name in keyof Seeds]: (...input: Parameters<Seeds[Name]>) => Promise<Awaited<ReturnType<Seeds[Name]>>> };
  /** Returns everything the server has logged so far. */
  log(): string;
  /** Rejects if the server ended unexpectedly, as after an unhandled rejection. */
  close(): Promise<void>;
};

/**
 * Starts the built application on a free port of 127.0.0.1.
 * @throws Error if the server does not start, with its log.
 */
export async function startApp(options: AppOptions = {}): Promise<RunningApp> {
  const child = fork(new URL("./app-process.ts", import.meta.url), [JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // Does not pass on options for colour, debugging or preloading, whatever starts it.
    execArgv: options.databaseUrl || options.isMeasured ? [] : QUICK_ENGINE,
    // React reads NODE_ENV when it is loaded. The cache saves a third of the start: compiling what every server
    // compiles.
    env: { ...process.env, NODE_ENV: "production", NODE_OPTIONS: "", FORCE_COLOR: "0", NODE_COMPILE_CACHE: CODE },
  });
  let output = "";
  child.stdout?.on("data", (chunk) => (output += chunk));
  child.stderr?.on("data", (chunk) => (output += chunk));

  // Waits for all of its output.
  const ended = once(child, "close");
  const ask = askVia(child, { ended, log: () => output });
  const ready = await Promise.race([
    once(child, "message").then(([message]) => message as { url: string }),
    ended.then(() => null),
  ]);
  if (!ready) throw new Error(`The server did not start:\n${output}`);

  return {
    url: ready.url,
    pid: child.pid ?? 0,
    seed: {
      member: (input) => ask("member", [input]),
      announce: (...input) => ask("announce", input),
      administrator: (...input) => ask("administrator", input),
      beat: (...input) => ask("beat", input),
      friend: (...input) => ask("friend", input),
      jobs: (...input) => ask("jobs", input),
      campaigns: (...input) => ask("campaigns", input),
      post: (...input) => ask("post", input),
      mail: (...input) => ask("mail", input),
      dump: () => ask("dump", []),
      leave: () => ask("leave", []),
    },
    log: () => output,
    async close() {
      if (child.exitCode) throw new Error(`The server ended by itself with ${child.exitCode}:\n${output}`);
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Asks a server for what a test needs. Rejects if the server has ended, with its output. */
function askVia(child: ChildProcess, { ended, log }: { ended: Promise<unknown>; log: () => string }) {
  let last = 0;
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  child.on("message", (message: AppResponse | { url: string }) => {
    if (!("id" in message)) return;
    const promise = waiting.get(message.id);
    waiting.delete(message.id);
    if ("error" in message) promise?.reject(new Error(message.error));
    else promise?.resolve(message.result);
  });
  const rejectAll = () => {
    for (const { reject } of waiting.values()) reject(new Error(`The server has ended:\n${log()}`));
    waiting.clear();
  };
  const rejectOnceEnded = () => void ended.then(rejectAll);
  rejectOnceEnded();
  return <Name extends keyof Seeds>(seed: Name, input: Parameters<Seeds[Name]>) => {
    const promise = Promise.withResolvers<Awaited<ReturnType<Seeds[Name]>>>();
    waiting.set(++last, promise as PromiseWithResolvers<unknown>);
    child.send({ id: last, seed, input } satisfies AppRequest, (error) => error && rejectOnceEnded());
    return promise.promise;
  };
}
