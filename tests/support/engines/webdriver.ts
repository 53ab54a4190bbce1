import { writeFile } from "node:fs/promises";
import { PATIENCE_MS, type Key, type Point, type Wire } from "./tab.ts";

type Command = (method: "GET" | "POST" | "DELETE", path: string, body?: object) => Promise<unknown>;

/** https://www.w3.org/TR/webdriver2/#keyboard-actions */
const KEYS: Record<Key, string> = { Enter: "\uE007", Escape: "\uE00C", Tab: "\uE004" };

/** Begins a session at the address of a W3C WebDriver. */
export async function openSession(driver: string, capabilities: object) {
  const body = { capabilities: { alwaysMatch: capabilities } };
  const { sessionId } = (await send(driver, "POST", "/session", body)) as { sessionId: string };
  const command: Command = (method, path, input) => send(driver, method, `/session/${sessionId}${path}`, input);
  return { wire: openWire(command, (await command("GET", "/window")) as string), close: () => command("DELETE", "") };
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

/** A session has one window at a time: each tab makes itself that one before it asks for anything. */
function openWire(session: Command, handle: string): Wire {
  const command: Command = async (...input) => {
    if ((await session("GET", "/window")) !== handle) await session("POST", "/window", { handle });
    return session(...input);
  };
  const act = (type: "pointer" | "key", actions: object[]) =>
    command("POST", "/actions", { actions: [{ type, id: type, actions }] });
  const strike = (keys: string[]) =>
    act(
      "key",
      keys.flatMap((value) => [
        { type: "keyDown", value },
        { type: "keyUp", value },
      ]),
    );

  return {
    goto: (url) => command("POST", "/url", { url }),
    read: (expression) => command("POST", "/execute/sync", { script: `return (${expression})`, args: [] }),
    press: ({ x, y }: Point) =>
      act("pointer", [
        { type: "pointerMove", duration: 0, x: Math.round(x), y: Math.round(y) },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ]),
    type: (text) => strike(Array.from(text)),
    key: (name) => strike([KEYS[name]]),
    shot: async (path) => writeFile(path, (await command("GET", "/screenshot")) as string, "base64"),
    async tab() {
      // A window of its own: a tab behind another one takes no presses.
      const opened = (await command("POST", "/window/new", { type: "window" })) as { handle: string };
      return openWire(session, opened.handle);
    },
  };
}
