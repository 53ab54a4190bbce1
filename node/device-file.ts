import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { readIfThere, replaceFile } from "./files.ts";
import { NodeProblem } from "./problem.ts";

/** What a machine keeps from its sign-in. It has no password. */
const Device = z.object({ email: z.string(), deviceId: z.string(), deviceKey: z.string() });
export type Device = z.infer<typeof Device>;

type Place = { folder: string; url: string };

/** Returns the folder for everything that belongs to a server. */
const serverFolder = ({ folder, url }: Place) => join(folder, new URL(url).host.replaceAll(":", "_"));

/** Returns the folder for what belongs to a member, or to a key, on a server. */
export const folderOf = (place: Place, name: string): string => join(serverFolder(place), encodeURIComponent(name));

/**
 * Returns the folder for what waits for a key. It is under the address at which the key was first used, so that nothing
 * is left behind if the server moves to another one. Throws the system's error if it cannot look.
 */
export function findFolderOfKey(place: Place, name: string): string {
  const here = folderOf(place, name);
  if (existsSync(here) || !existsSync(place.folder)) return here;
  const elsewhere = readdirSync(place.folder).map((server) => join(place.folder, server, name));
  return elsewhere.find((folder) => existsSync(folder)) ?? here;
}

/** Returns the only member that this machine has beaten for, or undefined if there is none or more than one. */
export function findOnlyMember(place: Place): string | undefined {
  const folder = serverFolder(place);
  if (!existsSync(folder)) return undefined;
  const members = readdirSync(folder).filter((name) => existsSync(join(folder, name, "device.json")));
  return members.length === 1 ? decodeURIComponent(members[0] ?? "") : undefined;
}

/**
 * Reads a device from a file. Returns undefined if there is no file yet. Throws NodeProblem if it has something else.
 */
export function readDevice(path: string): Device | undefined {
  try {
    const text = readIfThere(path);
    return text === undefined ? undefined : Device.parse(JSON.parse(text));
  } catch (error) {
    throw new NodeProblem(`${path} cannot be read. Delete it to sign in again.`, { cause: error });
  }
}

/** Saves a device where only this user of the machine can read it. Throws the system's error if it cannot. */
export function saveDevice(path: string, device: Device): void {
  replaceFile(path, `${JSON.stringify(device, null, 2)}\n`);
}
