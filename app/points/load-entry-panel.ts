import type { EntryPanel } from "./entry-panel.tsx";

type Panel = typeof EntryPanel;

let loaded: Panel | undefined;

/** What explains a row of the log is loaded with the first row that is opened. */
export async function loadEntryPanel(): Promise<{ default: Panel }> {
  loaded ??= (await import("./entry-panel.tsx")).EntryPanel;
  return { default: loaded };
}

/** The panel, once it was loaded: a page with an open row is rendered without waiting for it. */
export const getEntryPanel = (): Panel | undefined => loaded;
