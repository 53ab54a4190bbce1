import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { NodeProblem } from "./problem.ts";

/** What a machine keeps of its sign-in. There is no password in it. */
const Device = z.object({ email: z.string(), deviceId: z.string(), deviceKey: z.string() });
export type Device = z.infer<typeof Device>;

const OWNER_ONLY = 0o600;

type Place = { folder: string; url: string };

/** Where what belongs to a server is kept. */
const serverFolder = ({ folder, url }: Place) => join(folder, new URL(url).host.replaceAll(":", "_"));

/** Where what belongs to a member, or to a key, on a server is kept. */
export const folderOf = (place: Place, name: string): string => join(serverFolder(place), encodeURIComponent(name));

/** The member that this machine has beaten for; undefined when there is none, or when there are several. */
export function findOnlyMember(place: Place): string | undefined {
  const folder = serverFolder(place);
  if (!existsSync(folder)) return undefined;
  const members = readdirSync(folder).filter((name) => existsSync(join(folder, name, "device.json")));
  return members.length === 1 ? decodeURIComponent(members[0] ?? "") : undefined;
}

/** The device kept in a file; undefined when there is none yet. Throws when the file is something else. */
export function readDevice(path: string): Device | undefined {
  try {
    return Device.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new NodeProblem(`${path} cannot be read. Delete it to sign in anew.`, { cause: error });
  }
}

/** Keeps a device where only this user of the machine can read it. */
export function saveDevice(path: string, device: Device): void {
  const next = `${path}.next`;
  writeFileSync(next, `${JSON.stringify(device, null, 2)}\n`, { mode: OWNER_ONLY, flush: true });
  renameSync(next, path);
}
