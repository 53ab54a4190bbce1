import { spawnSync } from "node:child_process";

export const isRoot = process.getuid?.() === 0;

/** Runs a command and shows its output. Returns whether it succeeded. */
export const attempt = (command, ...args) => spawnSync(command, args, { stdio: "inherit" }).status === 0;

const apt = (...args) => (isRoot ? attempt("apt-get", ...args) : attempt("sudo", "-n", "apt-get", ...args));

let hasLists = false;
/** Fetches the package lists, once per process. */
const fetchLists = () => (hasLists ||= apt("update", "-qq"));

/** Installs Debian packages, if there is apt and permission to use it. Returns whether it did. */
export const installPackages = (...names) =>
  fetchLists() && apt("install", "-y", "-qq", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300", ...names);
