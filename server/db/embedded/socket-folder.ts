import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The name that `pg` looks for in a folder given as its host. None of our socket names is longer. */
const PG_SOCKET = ".s.PGSQL.5432";
/**
 * The longest path of a Unix socket that every kernel accepts, in bytes: macOS has 104 and Linux 108, with a
 * terminator.
 */
const PATH_LIMIT = 103;

export type SocketFolder = { folder: string; socket: string; remove(): Promise<void> };

/**
 * Creates a folder for a Unix socket that only this user can enter: `preferred` if the socket's path is short enough
 * there, otherwise a new folder in the system's temporary folder.
 */
export async function createSocketFolder(preferred?: string, name = PG_SOCKET): Promise<SocketFolder> {
  const folder = preferred && fits(resolve(preferred)) ? await createOwn(resolve(preferred)) : await createTemporary();
  return {
    folder,
    socket: join(folder, name),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function createOwn(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  return folder;
}

function createTemporary(): Promise<string> {
  const root = fits(join(tmpdir(), "nodebeat-XXXXXX")) ? tmpdir() : "/tmp";
  return mkdtemp(join(root, "nodebeat-"));
}

const fits = (folder: string) => Buffer.byteLength(join(folder, PG_SOCKET)) <= PATH_LIMIT;
