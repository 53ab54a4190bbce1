import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type Entry = { name: string; key: string; isFolder: boolean };

/** One line of the journal that `disk-recorder.fixture.ts` writes. */
export type DiskChange =
  | { type: "file"; names: (Entry & { folder: string })[] }
  | { type: "folder"; key: string; entries: Entry[] };

type Tree = Map<string, Map<string, Entry>>;

/** Restores into `target` what was on disk of the recorded folder, as found when the power comes back. */
export function restoreAfterPowerCut(record: string, target: string): void {
  const lines = readFileSync(join(record, "journal"), "utf8").split("\n").slice(0, -1);
  const changes = lines.map((line): DiskChange => JSON.parse(line));
  const [root] = changes;
  if (root?.type !== "folder") throw new Error("The record does not begin with the folder");

  const tree: Tree = new Map();
  for (const change of changes) apply(tree, change);
  writeFolder(tree, root.key, record, target);
}

function apply(tree: Tree, change: DiskChange) {
  if (change.type === "folder") {
    tree.set(change.key, new Map(change.entries.map((entry) => [entry.name, entry])));
    return;
  }
  for (const { folder, ...entry } of change.names) {
    const entries = tree.get(folder) ?? new Map<string, Entry>();
    tree.set(folder, entries.set(entry.name, entry));
  }
}

function writeFolder(tree: Tree, folder: string, record: string, target: string) {
  mkdirSync(target, { mode: 0o700 });
  for (const { name, key, isFolder } of tree.get(folder)?.values() ?? []) {
    const path = join(target, name);
    const bytes = join(record, key);
    if (isFolder) writeFolder(tree, key, record, path);
    else if (existsSync(bytes)) copyFileSync(bytes, path);
    // The name was on disk, but the contents were not.
    else writeFileSync(path, "");
  }
}
