import { spawnSync } from "node:child_process";

export const isRoot = process.getuid?.() === 0;

/** Runs a command in sight. Whether it ended well. */
export const attempt = (command, ...args) => spawnSync(command, args, { stdio: "inherit" }).status === 0;

const apt = (...args) => (isRoot ? attempt("apt-get", ...args) : attempt("sudo", "-n", "apt-get", ...args));

let hasLists = false;
/** Fetches the lists of what there is, which stay good for as long as a process takes. */
const fetchLists = () => (hasLists ||= apt("update", "-qq"));

/** Installs packages of Debian's, where there is apt and a right to use it. Whether it did. */
export const installPackages = (...names) =>
  fetchLists() && apt("install", "-y", "-qq", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300", ...names);
