/** What is wrong on purpose: the one place in a file of the server's where `from` stands has `to` instead. */
export type Defect = { file: string; from: string; to: string };

/** Node's options for a process with a defect. */
export function plant(defect: Defect | undefined): string[] {
  if (!defect) return [];
  const url = new URL("./plant.ts", import.meta.url);
  url.searchParams.set("defect", JSON.stringify(defect));
  return [`--import=${url.href}`];
}
