import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { readIfThere, replaceFile } from "./files.ts";
import { NodeProblem } from "./problem.ts";

/** What a machine keeps of its sign-in. There is no password in it. */
const Device = z.object({ email: z.string(), deviceId: z.string(), deviceKey: z.string() });
export type Device = z.infer<typeof Device>;

type Place = { folder: string; url: string };

/** Where what belongs to a server is kept. */
const serverFolder = ({ folder, url }: Place) => join(folder, new URL(url).host.replaceAll(":", "_"));

/** Where what belongs to a member, or to a key, on a server is kept. */
export const folderOf = (place: Place, name: string): string => join(serverFolder(place), encodeURIComponent(name));

/**
 * Where what waits for a key is kept: under the address that it was first used at, so that nothing is left behind where
 * the server has moved to another one. Throws what the system says where it cannot look.
 */
export function findFolderOfKey(place: Place, name: string): string {
  const here = folderOf(place, name);
  if (existsSync(here) || !existsSync(place.folder)) return here;
  const elsewhere = readdirSync(place.folder).map((server) => join(place.folder, server, name));
  return elsewhere.find((folder) => existsSync(folder)) ?? here;
}

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
    const text = readIfThere(path);
    return text === undefined ? undefined : Device.parse(JSON.parse(text));
  } catch (error) {
    throw new NodeProblem(`${path} cannot be read. Delete it to sign in again.`, { cause: error });
  }
}

/** Keeps a device where only this user of the machine can read it. Throws what the system says where it cannot. */
export function saveDevice(path: string, device: Device): void {
  replaceFile(path, `${JSON.stringify(device, null, 2)}\n`);
}
