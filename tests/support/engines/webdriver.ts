import { writeFile } from "node:fs/promises";
import { TIMEOUT_MS, type Point, type Size, type Wire } from "./tab.ts";

/** Large enough for the largest window, and for a page as a whole. */
export const DISPLAY_SIZE = { width: 1960, height: 8000 };

/** https://www.w3.org/TR/webdriver2/#execute-script */
const READ = "/execute/sync";

type Command = (method: "GET" | "POST" | "DELETE", path: string, body?: object) => Promise<unknown>;

/** https://www.w3.org/TR/webdriver2/#keyboard-actions */
const KEYS: Record<string, string> = { Enter: "\uE007", Escape: "\uE00C", Tab: "\uE004", Control: "\uE009" };

/**
 * How long reading from a page may take, in milliseconds. WebKit's driver never responds to about one of a thousand
 * that meet a page that loads, and then responds to the next at once. So a poll has several.
 */
const READ_MS = TIMEOUT_MS / 6;

/** Starts a session at the address of a W3C WebDriver. */
export async function openSession(driver: string, capabilities: object) {
  const body = { capabilities: { alwaysMatch: capabilities } };
  const { sessionId } = (await send(driver, "POST", "/session", body)) as { sessionId: string };
  const command: Command = (method, path, input) => send(driver, method, `/session/${sessionId}${path}`, input);
  await takeFocus(command);
  const wire = openWire(command, { shown: (await command("GET", "/window")) as string });
  return {
    wire,
    close: () => command("DELETE", ""),
    /** Clears what the open page's host has stored, and leaves the page. A new session takes seconds to start. */
    async forget() {
      if (await wire.read(`location.protocol !== "about:"`)) {
        await command("DELETE", "/cookie");
        await wire.read("[localStorage.clear(), sessionStorage.clear()] && null");
      }
      await wire.goto("about:blank");
    },
  };
}

async function send(driver: string, method: string, path: string, body?: object): Promise<unknown> {
  try {
    const signal = AbortSignal.timeout(path.endsWith(READ) ? READ_MS : TIMEOUT_MS);
    const response = await fetch(`${driver}${path}`, { method, signal, ...(body && { body: JSON.stringify(body) }) });
    const { value } = (await response.json()) as { value: { error?: string; message?: string } | null };
    if (response.ok) return value;
    throw new Error(`${value?.error}: ${value?.message}`);
  } catch (error) {
    throw new Error(`${method} ${path} failed: ${String(error)}`, { cause: error });
  }
}

const down = (value: string) => ({ type: "keyDown", value });
const up = (value: string) => ({ type: "keyUp", value });

/** Opens a wire for one tab. A session has one current window: each tab switches to its own before any command. */
function openWire(session: Command, windows: { shown: string }, handle = windows.shown): Wire {
  const command: Command = async (...input) => {
    if (windows.shown !== handle) {
      await session("POST", "/window/rect", { x: 0, y: 0 });
      await session("POST", "/window", { handle });
      await takeFocus(session);
      windows.shown = handle;
    }
    return session(...input);
  };
  const act = (type: "pointer" | "key", actions: object[]) =>
    command("POST", "/actions", { actions: [{ type, id: type, actions }] });
  const read = (expression: string) => command("POST", READ, { script: `return (${expression})`, args: [] });
  const resize = (size: Size) => resizeInside(size, { command, read });

  return {
    goto: (url) => command("POST", "/url", { url }),
    read,
    press: ({ x, y }: Point) =>
      act("pointer", [
        { type: "pointerMove", duration: 0, x: Math.round(x), y: Math.round(y) },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ]),
    type: (text) =>
      act(
        "key",
        Array.from(text).flatMap((value) => [down(value), up(value)]),
      ),
    key(name) {
      const held = name.split("+").map((key) => KEYS[key] ?? key);
      return act("key", [...held.map(down), ...held.toReversed().map(up)]);
    },
    resize,
    async setCookies(cookies) {
      for (const cookie of cookies) await command("POST", "/cookie", { cookie });
    },
    async shot(path, whole) {
      const [width, height, full] = (await read(SIZES)) as [number, number, number];
      // The driver takes screenshots of the window only.
      if (whole) await resize({ width, height: full });
      await writeFile(path, await takeStill(command), "base64");
      if (whole) await resize({ width, height });
    },
    async tab() {
      // Opens a window: a tab behind another one gets no clicks.
      const opened = (await command("POST", "/window/new", { type: "window" })) as { handle: string };
      return openWire(session, windows, opened.handle);
    },
  };
}

/**
 * Moves the window so that the display's pointer, which rests in the middle, is over the browser's toolbar: without a
 * window manager, the window under the pointer has the keyboard. The pointer is over nothing in the page then.
 */
async function takeFocus(session: Command) {
  await session("POST", "/window/rect", { x: 0, y: DISPLAY_SIZE.height / 2 - 10 });
  await repeat(async () => (await session("POST", READ, { script: "return document.hasFocus()", args: [] })) === true);
}

const SIZES = "[innerWidth, innerHeight, document.documentElement.scrollHeight]";
const POLL_MS = 50;

async function resizeInside({ width, height }: Size, { command, read }: { command: Command; read: Wire["read"] }) {
  const outside = (await command("GET", "/window/rect")) as Size;
  const [wide, high] = (await read(SIZES)) as [number, number];
  const rect = { width: outside.width - wide + width, height: outside.height - high + height };
  await command("POST", "/window/rect", rect);
  const fits = `innerWidth === ${width} && innerHeight === ${height}`;
  await repeat(async () => (await read(fits)) === true);
}

/** Takes screenshots until two are equal: an enlarged window is not drawn at once. */
async function takeStill(command: Command): Promise<string> {
  let picture = "";
  await repeat(async () => {
    const before = picture;
    picture = (await command("GET", "/screenshot")) as string;
    return picture === before;
  });
  return picture;
}

/** Retries until the attempt succeeds, and continues if it never does: what keeps moving is drawn as it was last. */
async function repeat(attempt: () => Promise<boolean>) {
  for (let count = 0; count < 10; count++) {
    if (await attempt().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
