/** A deliberate defect: in a file of the server, `to` replaces `from`, which occurs exactly once. */
export type Defect = { file: string; from: string; to: string };

/** Returns Node's options for a process with a defect. */
export function plant(defect: Defect | undefined): string[] {
  if (!defect) return [];
  const url = new URL("./plant.ts", import.meta.url);
  url.searchParams.set("defect", JSON.stringify(defect));
  return [`--import=${url.href}`];
}
