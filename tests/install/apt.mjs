import { spawnSync } from "node:child_process";

export const isRoot = process.getuid?.() === 0;

/** Runs a command in sight. Whether it ended well. */
export const attempt = (command, ...args) => spawnSync(command, args, { stdio: "inherit" }).status === 0;

const apt = (...args) => (isRoot ? attempt("apt-get", ...args) : attempt("sudo", "-n", "apt-get", ...args));

/** Installs packages of Debian's, where there is apt and a right to use it. Whether it did. */
export const installPackages = (...names) =>
  apt("update", "-qq") &&
  apt("install", "-y", "-qq", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300", ...names);
