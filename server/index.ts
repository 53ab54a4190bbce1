import { setTimeout as delay } from "node:timers/promises";
import { loadEnvFile, readEnv } from "./env.ts";
import { createLog } from "./log/log.ts";
import { findMistaken } from "./mistaken-settings.ts";
import { StartError } from "./start-error.ts";
import { startServer, type RunningServer } from "./boot/start.ts";

/**
 * For how long repeated signals count as one, in milliseconds. npm forwards the Ctrl+C that the terminal sends to all
 * processes anyway.
 */
const REPEATED_SIGNAL_MS = 2_000;

/** Describes what the person who started the server needs to know. The log is for machines. */
function describeStart(url: string, demo: RunningServer["demo"]) {
  if (!demo) return `\n  Nodebeat is ready at ${url}\n`;
  return `
  Nodebeat is ready at ${url}

  This is a demo with made-up data. Sign in as
    email     ${demo.email}
    password  ${demo.password}
  or, with the same password, as a member on the whitelist, who sees TESTNET and the updated Terms of Service
    email     ${demo.tester}
  To start the first member's node, run in another terminal
    npm run node
`;
}

async function stop(server: RunningServer, graceSeconds: number): Promise<boolean> {
  if (graceSeconds > 0) {
    server.leave();
    await delay(graceSeconds * 1000);
  }
  return server.close();
}

try {
  loadEnvFile();
  const env = readEnv(process.env);
  // Libraries read this when they load. Their development versions are slower.
  process.env.NODE_ENV = "production";
  const log = createLog({ level: env.logLevel });
  for (const sentence of findMistaken(process.env)) log.warn(sentence);
  const fail = (error: unknown) => {
    log.fatal({ err: error }, "crashed");
    process.exit(1);
  };
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);

  let server: RunningServer | undefined;
  let stoppingSince: number | undefined;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      // Nothing is running yet. Without a handler, the first process in a container (PID 1) would ignore the signal.
      if (!server) process.exit(0);
      if (stoppingSince !== undefined) {
        if (performance.now() - stoppingSince > REPEATED_SIGNAL_MS) process.exit(1);
        return;
      }
      stoppingSince = performance.now();
      log.info({ signal }, "shutting down");
      // Ctrl+C comes from a terminal, where somebody is waiting.
      stop(server, signal === "SIGTERM" ? env.shutdownGraceSeconds : 0).then(
        (inTime) => process.exit(inTime ? 0 : 1),
        fail,
      );
    });
  }
  server = await startServer(env, { log, seedsDemo: env.mode === "demo" });
  // Printed last, because readers may stop the server as soon as they see it.
  console.log(describeStart(env.publicUrl ?? server.url, server.demo));
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}
