import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { FOLDER, type BuiltImage } from "./build.ts";

/** Mounts the image's root read-only. Of the machine it sees processes, devices and the network. */
const ENTER = `set -e
mount --bind "$1" "$1"
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
mount --bind "$2" "$1/data"
mount -o remount,bind,ro "$1"
root=$1 user=$3
shift 3
exec chroot --userspec="$user" "$root" sh -c 'cd "$0" && exec "$@"' "$@"`;

/** A container's process, without a daemon: it uses namespaces and a changed root. */
export type Container = {
  /** Runs a command in it, as its user unless another is given. Returns whether it succeeded. */
  attempt(command: readonly string[], user?: string): boolean;
  /** Asks it to end, as an orchestrator does. Resolves to its exit code. */
  stop(): Promise<number | null>;
};

/** Starts the image's command, as its user and on a read-only root. */
export function startContainer({ root, settings }: BuiltImage, given: Record<string, string>): Container {
  const [uid = "", gid = uid] = settings.User.split(":");
  const data = join(FOLDER, "data");
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data);
  chownSync(data, Number(uid), Number(gid));
  const env = { ...Object.fromEntries(settings.Env.map((line) => line.split(/=(.*)/s))), ...given };
  const child = spawn(
    "unshare",
    ["--mount", "sh", "-c", ENTER, "sh", root, data, settings.User, settings.WorkingDir, ...settings.Cmd],
    { env, stdio: ["ignore", "inherit", "inherit"] },
  );
  return {
    attempt: (command, user = settings.User) => enter(child, { command, user, env, directory: settings.WorkingDir }),
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
      return child.exitCode;
    },
  };
}

type Entry = { command: readonly string[]; user: string; env: Record<string, string>; directory: string };

function enter({ pid }: ChildProcess, { command, user, env, directory }: Entry): boolean {
  const [uid = "", gid = uid] = user.split(":");
  const place = ["--target", String(pid), "--mount", "--root", "--setgid", gid, "--setuid", uid];
  try {
    execFileSync("nsenter", [...place, "sh", "-c", 'cd "$0" && exec "$@"', directory, ...command], {
      env,
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
}
