import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { findFreePort } from "../servers/free-port.ts";
import type { EngineOptions, UseEngine } from "./tab.ts";
import { DISPLAY_SIZE, openSession } from "./webdriver.ts";

// Where Debian's packages install them (tests/install/engines.mjs).
const DRIVER = "/usr/bin/WebKitWebDriver";
const DISPLAY = "/usr/bin/Xvfb";
const [MINI_BROWSER = ""] = globSync("/usr/lib/*/webkit2gtk-4.*/MiniBrowser");

export const hasWebKit = [DRIVER, DISPLAY, MINI_BROWSER].every((path) => existsSync(path));

const SCREEN = `${DISPLAY_SIZE.width}x${DISPLAY_SIZE.height}x24`;
/** Where GTK reads that animations are disabled: https://docs.gtk.org/gtk3/class.Settings.html */
const STILL = { XDG_CONFIG_HOME: fileURLToPath(new URL("still", import.meta.url)) };

/** How long the driver may take to start, in milliseconds. */
const START_MS = 15_000;

/** Starts WebKit on its own display, passes it to `use`, and stops it whatever happens. */
export async function withWebKit({ javaScript, still = false }: EngineOptions, use: UseEngine) {
  const processes: ChildProcess[] = [];
  const kill = () => processes.forEach((each) => each.kill());
  // Also if the test was aborted together with its worker.
  process.once("exit", kill);
  try {
    const display = spawn(DISPLAY, ["-displayfd", "3", "-screen", "0", SCREEN], {
      stdio: ["ignore", "ignore", "ignore", "pipe"],
    });
    processes.push(display);
    const env = { ...process.env, ...(still && STILL), DISPLAY: `:${await readLine(display.stdio[3] as Readable)}` };
    const port = await findFreePort();
    processes.push(spawn(DRIVER, [`--port=${port}`, "--host=127.0.0.1"], { stdio: "ignore", env }));
    const url = `http://127.0.0.1:${port}`;
    await waitForAnswer(`${url}/status`);
    const args = ["--automation", `--enable-javascript=${javaScript}`];
    const open = () => openSession(url, { "webkitgtk:browserOptions": { binary: MINI_BROWSER, args } });
    let session = await open();
    const renew = async () => {
      await session.forget().catch(async () => {
        // A page that hangs also blocks its session.
        await session.close().catch(() => {});
        session = await open();
      });
      return session.wire;
    };
    try {
      await use({ wire: session.wire, problems: [], renew });
    } finally {
      await session.close().catch(() => {});
    }
  } finally {
    process.off("exit", kill);
    for (const each of processes.toReversed()) await end(each);
  }
}

/** Reads a whole line: Xvfb writes the line break separately, and dies if nobody reads that. */
async function readLine(stream: Readable): Promise<string> {
  for await (const line of createInterface({ input: stream })) return line;
  throw new Error("Xvfb did not start.");
}

async function waitForAnswer(url: string): Promise<void> {
  const end = performance.now() + START_MS;
  while (!(await fetch(url).catch(() => null))) {
    if (performance.now() > end) throw new Error("WebKitWebDriver does not answer.");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, "exit");
}
