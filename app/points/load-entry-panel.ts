import type { EntryPanel } from "./entry-panel.tsx";

type Panel = typeof EntryPanel;

let loaded: Panel | undefined;

/** Loads the code that explains a row of the log, when the first row is opened. */
export async function loadEntryPanel(): Promise<{ default: Panel }> {
  loaded ??= (await import("./entry-panel.tsx")).EntryPanel;
  return { default: loaded };
}

/** Returns the panel if it has been loaded. A page with an open row is then rendered without waiting for it. */
export const getEntryPanel = (): Panel | undefined => loaded;
