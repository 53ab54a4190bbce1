import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { startOnFreePort } from "../servers/free-port.ts";
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

/** How long the driver may take to start, in milliseconds, and for one response in that time. */
const START_MS = 15_000;
const RESPONSE_MS = 2_000;

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
    const url = await startOnFreePort(async (port) => {
      const options = [`--port=${port}`, "--host=127.0.0.1"];
      const driver = spawn(DRIVER, options, { stdio: ["ignore", "ignore", "pipe"], env });
      processes.push(driver);
      const address = `http://127.0.0.1:${port}`;
      await waitForAnswer(driver, `${address}/status`);
      return address;
    });
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

/** Waits until a driver answers. Keeps reading what it reports afterwards, because a full pipe would block it. */
async function waitForAnswer(driver: ChildProcess, url: string): Promise<void> {
  let reported = "";
  driver.stderr?.on("data", (chunk) => (reported += chunk));
  const end = performance.now() + START_MS;
  const ask = () => fetch(url, { signal: AbortSignal.timeout(RESPONSE_MS) }).catch(() => null);
  // The response of a driver that has ended is that of whoever has its port.
  while (!(await ask()) || hasEnded(driver)) {
    if (hasEnded(driver) || performance.now() > end) throw new Error(`WebKitWebDriver does not answer:\n${reported}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  child.kill();
  await once(child, "exit");
}
