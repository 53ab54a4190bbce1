import { useSyncExternalStore } from "react";

/** Whether answers come: the browser says that it is offline, or a read was given up without any answer. */
export type Connection = "online" | "offline" | "unreachable";

let unreachable = false;
const listeners = new Set<() => void>();

/** Notes whether the last read was answered at all, be it with an error. */
export function noteAnswered(answered: boolean): void {
  if (unreachable !== answered) return;
  unreachable = !answered;
  for (const listener of listeners) listener();
}

/** The connection as far as the page can tell. Online on the server, and while the page comes to life. */
export function useConnection(): Connection {
  return useSyncExternalStore(watch, readConnection, () => "online");
}

/** The same, at this moment, in the browser. */
export function readConnection(): Connection {
  if (!navigator.onLine) return "offline";
  return unreachable ? "unreachable" : "online";
}

function watch(onChange: () => void): () => void {
  listeners.add(onChange);
  addEventListener("online", onChange);
  addEventListener("offline", onChange);
  return () => {
    listeners.delete(onChange);
    removeEventListener("online", onChange);
    removeEventListener("offline", onChange);
  };
}
