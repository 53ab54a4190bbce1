import fs from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { isMainThread } from "node:worker_threads";
import type { DiskChange } from "./power-cut.fixture.ts";

/*
 * Loaded before a writer, in each of its threads. Records which parts of a folder are on disk, as if the machine had a
 * cache that a power cut empties. A file's contents and name count once it is forced to disk. Removed and renamed
 * entries count once their folder is forced to disk. The writer may be killed in the middle of this, just as the power
 * may fail in the middle of an fsync.
 */

const { RECORDED_FOLDER: folder = "", RECORD: record = "" } = process.env;
const { fdatasyncSync, fsyncSync, openSync, writeSync } = fs;
const opened = new Map<number, string>();
/** What was written to each file since it was last forced to disk, by the file's key. */
const cached = new Map<string, { position: number; length: number }[]>();

Object.assign(fs, {
  openSync(path: string, flags: fs.OpenMode, mode?: fs.Mode) {
    const descriptor = openSync(path, flags, mode);
    opened.set(descriptor, path);
    return descriptor;
  },
  writeSync(descriptor: number, bytes: NodeJS.ArrayBufferView, offset: number, length: number, position: number) {
    const written = writeSync(descriptor, bytes, offset, length, position);
    const { key } = identify(fs.fstatSync(descriptor, { bigint: true }));
    const ranges = cached.get(key) ?? [];
    ranges.push({ position, length: written });
    cached.set(key, ranges);
    return written;
  },
  fdatasyncSync(descriptor: number) {
    fdatasyncSync(descriptor);
    noteDescriptor(descriptor);
  },
  fsyncSync(descriptor: number) {
    fsyncSync(descriptor);
    noteDescriptor(descriptor);
  },
});
if (isMainThread) for (const path of listTree()) note(path);

/** Lists what exists at the start, which survived the last cut. */
function listTree() {
  const names = fs.readdirSync(folder, { recursive: true, encoding: "utf8" });
  return [folder, ...names.map((name) => join(folder, name))];
}

function noteDescriptor(descriptor: number) {
  const path = opened.get(descriptor);
  if (path !== undefined && fs.existsSync(path) && !relative(folder, path).startsWith("..")) note(path);
}

function note(path: string) {
  const change = find(path).isFolder ? noteFolder(path) : noteFile(path);
  fs.appendFileSync(join(record, "journal"), `${JSON.stringify(change)}\n`);
}

function noteFolder(path: string): DiskChange {
  const entries = fs.readdirSync(path).map((name) => Object.assign(find(join(path, name)), { name }));
  return { type: "folder", key: find(path).key, entries };
}

function noteFile(path: string): DiskChange {
  const { key } = find(path);
  const copy = join(record, key);
  if (fs.existsSync(copy)) copyCached(path, copy, cached.get(key) ?? []);
  else copyWhole(path, copy);
  cached.delete(key);

  const names = [];
  for (let child = path; child !== folder; child = dirname(child)) {
    names.push({ folder: find(dirname(child)).key, name: basename(child), ...find(child) });
  }
  return { type: "file", names };
}

function copyWhole(path: string, copy: string) {
  fs.copyFileSync(path, `${copy}.draft`);
  fs.renameSync(`${copy}.draft`, copy);
}

function copyCached(path: string, copy: string, ranges: { position: number; length: number }[]) {
  const from = openSync(path, "r");
  const to = openSync(copy, "r+");
  fs.ftruncateSync(to, fs.fstatSync(from).size);
  for (const { position, length } of ranges) {
    const bytes = new Uint8Array(length);
    writeSync(to, bytes, 0, fs.readSync(from, bytes, 0, length, position), position);
  }
  fs.closeSync(from);
  fs.closeSync(to);
}

function find(path: string) {
  return identify(fs.statSync(path, { bigint: true }));
}

/** Returns a key that stays the same when a file is renamed, and that no later file gets. */
function identify(stats: fs.BigIntStats) {
  return { key: `${stats.ino}-${stats.birthtimeNs}`, isFolder: stats.isDirectory() };
}
