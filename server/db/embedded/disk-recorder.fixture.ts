import fs from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { isMainThread } from "node:worker_threads";
import type { DiskChange } from "./power-cut.fixture.ts";

/*
 * Loaded before a writer, in each of its threads: records what of a folder is on disk, as if the machine had a cache
 * that a power cut empties. A file's bytes count from the moment it is forced to disk, and so does its name; what a
 * folder no longer holds, or holds under another name, counts once the folder itself is forced.
 * The writer may be killed in the middle of this, as the power may go in the middle of forcing something to disk.
 */

const { RECORDED_FOLDER: folder = "", RECORD: record = "" } = process.env;
const { fdatasyncSync, fsyncSync, openSync, writeSync } = fs;
const opened = new Map<number, string>();
/** What was written to a file, by its key, since it was last forced to disk. */
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

/** What is there at the beginning survived the last cut. */
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

/** A key that is the same for one file whatever it is called, and that no other file is given later. */
function identify(stats: fs.BigIntStats) {
  return { key: `${stats.ino}-${stats.birthtimeNs}`, isFolder: stats.isDirectory() };
}
