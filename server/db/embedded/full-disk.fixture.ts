import fs from "node:fs";

/*
 * Loaded before a process, in each of its threads. Simulates a full disk while the file named by DISK_SWITCH exists. If
 * it contains "full", every write fails. If it contains "low", writes work but little space is left.
 */

const { DISK_SWITCH = "" } = process.env;
const { readFileSync, writeSync } = fs;
const { statfs } = fs.promises;

function readSwitch() {
  return fs.existsSync(DISK_SWITCH) ? readFileSync(DISK_SWITCH, "utf8") : "";
}

function requireSpace() {
  if (readSwitch() !== "full") return;
  throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", syscall: "write" });
}

Object.assign(fs, {
  writeSync(...args: Parameters<typeof writeSync>) {
    requireSpace();
    return writeSync(...args);
  },
});

// Streams write through the methods of their file handle.
const handle = await fs.promises.open(import.meta.filename);
const methods: Record<string, (...args: unknown[]) => unknown> = Object.getPrototypeOf(handle);
for (const name of ["write", "writev"]) {
  const write = methods[name];
  methods[name] = async function writeWithin(this: typeof handle, ...args: unknown[]) {
    requireSpace();
    return write?.apply(this, args);
  };
}
await handle.close();

Object.assign(fs.promises, {
  async statfs(path: string) {
    return Object.assign(await statfs(path), readSwitch() && { bavail: 20 });
  },
});
