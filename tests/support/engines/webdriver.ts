import { writeFile } from "node:fs/promises";

/**
 * A browser behind a W3C WebDriver. Its mouse presses where a control stands, so that what covers the control is pressed
 * instead, as it would be by a hand.
 */
export type EngineBrowser = ReturnType<typeof driveSession>;

type Command = (method: "GET" | "POST" | "DELETE", path: string, body?: object) => Promise<unknown>;
type Point = { x: number; y: number };

const POLL_MS = 50;
/** Milliseconds that a command, the start of the browser included, and a page get: most take a hundredth of it. */
const PATIENCE_MS = 30_000;

/** Keys without a character: https://www.w3.org/TR/webdriver2/#keyboard-actions */
const KEYS = { Enter: "\uE007", Escape: "\uE00C", Tab: "\uE004" };

/** Begins a session at a driver's address. */
export async function openSession(driver: string, capabilities: object): Promise<EngineBrowser> {
  const body = { capabilities: { alwaysMatch: capabilities } };
  const { sessionId } = (await send(driver, "POST", "/session", body)) as { sessionId: string };
  return driveSession((method, path, input) => send(driver, method, `/session/${sessionId}${path}`, input));
}

async function send(driver: string, method: string, path: string, body?: object): Promise<unknown> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(`${driver}${path}`, { method, signal, ...(body && { body: JSON.stringify(body) }) });
    const { value } = (await response.json()) as { value: { error?: string; message?: string } | null };
    if (response.ok) return value;
    throw new Error(`${value?.error}: ${value?.message}`);
  } catch (error) {
    throw new Error(`${method} ${path} failed`, { cause: error });
  }
}

/** Asks until the answer is yes. While one page takes the place of another, neither can be asked. */
async function poll(what: string, ask: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  let last: unknown;
  while (performance.now() < end) {
    last = await ask().catch((error: unknown) => error);
    if (last && !(last instanceof Error)) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`Never came true: ${what} (at last: ${String(last)})`);
}

function driveSession(command: Command) {
  const act = (type: "pointer" | "key", actions: object[]) =>
    command("POST", "/actions", { actions: [{ type, id: type, actions }] });

  /** What an expression is in the page, which need not run scripts of its own. */
  const read = <T>(expression: string) =>
    command("POST", "/execute/sync", { script: `return (${expression})`, args: [] }) as Promise<T>;

  /** Waits until an expression holds in the page. */
  const wait = (expression: string) => poll(expression, () => read(expression));

  /** Where the middle of a control is, once it is the same twice. */
  async function locate(selector: string, text?: string): Promise<Point> {
    const middle = `(${findMiddle.toString()})(...${JSON.stringify([selector, text])})`;
    const places: string[] = [];
    await poll(`${selector} ${text ?? ""} stands still`, async () => {
      places.push(JSON.stringify(await read(middle)));
      return places.at(-1) !== "null" && places.at(-1) === places.at(-2);
    });
    return JSON.parse(places.at(-1) ?? "null") as Point;
  }

  const press = ({ x, y }: Point) =>
    act("pointer", [
      { type: "pointerMove", duration: 0, x: Math.round(x), y: Math.round(y) },
      { type: "pointerDown", button: 0 },
      { type: "pointerUp", button: 0 },
    ]);
  const strike = (keys: string[]) =>
    act(
      "key",
      keys.flatMap((value) => [
        { type: "keyDown", value },
        { type: "keyUp", value },
      ]),
    );

  return {
    read,
    wait,
    /** Presses the mouse at a point of the window. */
    press,
    goto: (url: string) => command("POST", "/url", { url }),
    /** Presses the mouse in the middle of the first element in sight that fits, with that text if one is given. */
    click: async (selector: string, text?: string) => press(await locate(selector, text)),
    key: (name: keyof typeof KEYS) => strike([KEYS[name]]),
    type: (text: string) => strike(Array.from(text)),
    /** Writes a picture of the window to a file. */
    shot: async (path: string) => writeFile(path, (await command("GET", "/screenshot")) as string, "base64"),
    close: () => command("DELETE", ""),
  };
}

/** Runs in the page. */
function findMiddle(selector: string, text: string | null): Point | null {
  const all = Array.from(document.querySelectorAll<HTMLElement>(selector));
  const found = all.find((each) => each.checkVisibility() && (text === null || each.innerText.trim() === text));
  if (!found) return null;
  found.scrollIntoView({ block: "center", behavior: "instant" });
  const { x, y, width, height } = found.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}
