import { createHash } from "node:crypto";
import { join } from "node:path";
import { makeFolder } from "../server/make-folder.ts";
import { beat, CALL_TIMEOUT } from "./beat.ts";
import { openBeatQueue, type BeatQueue } from "./beat-queue.ts";
import { CallFailed, createCaller, type Caller } from "./call.ts";
import { createClockCheck } from "./clock-check.ts";
import { describeFileError } from "./files.ts";
import { findFolderOfKey, findOnlyMember, folderOf, readDevice, saveDevice, type Device } from "./device-file.ts";
import type { RetryContext } from "./retry.ts";
import { NodeProblem } from "./problem.ts";
import type { NodeSettings } from "./settings.ts";
import { signIn } from "./sign-in.ts";

export type Surroundings = RetryContext & {
  /** Asks the person at the terminal. Undefined without a terminal. */
  prompt: ((question: string, options: { secret: boolean }) => Promise<string>) | undefined;
};

/**
 * Runs a member's node until the signal ends it, with the key that it was given or one that it signs in for. Throws
 * NodeProblem or CallFailed, with a sentence for the person who started it.
 */
export async function runNode(settings: NodeSettings, around: Surroundings): Promise<void> {
  const { report, signal } = around;
  const call = createCaller({ ...settings, signal, timeout: CALL_TIMEOUT, hearTime: createClockCheck(around) });
  const machine = await (settings.key ? takeKey(settings, settings.key) : findKey(settings, call, around));
  const queue = openBeatQueue(join(machine.folder, "beats"), report);

  report(`sending heartbeats ${machine.whom} to ${settings.url}${queue.size > 0 ? `, ${queue.waiting}` : ""}`);
  for (let { key, renew } = machine; ; renew = undefined) {
    try {
      return await beat({ ...around, call, queue, deviceKey: key });
    } catch (error) {
      if (signal.aborted) return report(describeStop(queue));
      if (!(error instanceof CallFailed) || error.status !== 401 || error.isForeign) throw error;
      if (!renew) throw explainRefusal(error, machine.remedy);
      const reason =
        error.code === "KEY_REVOKED" ? "this machine's key was revoked" : "the server does not know its key";
      report(`${reason}: signing in for a new one`);
      key = await renew();
    }
  }
}

function describeStop({ isPersisted, size, waiting }: BeatQueue): string {
  if (size === 0) return "stopped";
  if (isPersisted) return `stopped, ${waiting} for the next start`;
  return "stopped, and heartbeats that could not be saved are lost";
}

type Machine = {
  /** The folder of the beats that wait. */
  folder: string;
  /** Who it beats for, in words. */
  whom: string;
  key: string;
  /** Gets another key without anybody's help. */
  renew?: (() => Promise<string>) | undefined;
  /** What to do if the key is refused. */
  remedy: string;
};

/** Uses a key that was given. Does not save it, and keeps what waits for it apart from what waits for other keys. */
async function takeKey(settings: NodeSettings, key: string): Promise<Machine> {
  const name = `key-${createHash("sha256").update(key).digest("hex").slice(0, 16)}`;
  const remedy = "Create a new key on your profile, under Your machines.";
  const folder = await openFolder(settings, name, findFolderOfKey);
  return { folder, whom: "with the key of this machine", key, remedy };
}

/** Uses the key that this machine has kept, or signs in for one. */
async function findKey(settings: NodeSettings, call: Caller, around: Surroundings): Promise<Machine> {
  const email = await findEmail(settings, around);
  const folder = await openFolder(settings, email);
  const path = join(folder, "device.json");
  const enrol = () => enrolMachine(settings, { email, path }, call, around);
  const kept = settings.renew ? undefined : readDevice(path);
  const device = kept ?? (await enrol());
  const canRenew = settings.password && !settings.renew;
  return {
    folder,
    whom: `for ${device.email}`,
    key: device.deviceKey,
    renew: canRenew ? async () => (await enrol()).deviceKey : undefined,
    remedy: "Get a new one with --sign-in.",
  };
}

async function openFolder(settings: NodeSettings, name: string, find = folderOf): Promise<string> {
  let folder = folderOf(settings, name);
  try {
    folder = find(settings, name);
    await makeFolder(folder, 0o700);
    return folder;
  } catch (cause) {
    const problem = `${folder} cannot be created (${describeFileError(cause)}). Name another folder with --folder.`;
    throw new NodeProblem(problem, { cause });
  }
}

async function findEmail({ email, folder, url }: NodeSettings, { prompt }: Surroundings): Promise<string> {
  const found = email ?? findOnlyMember({ folder, url }) ?? (await prompt?.("Email: ", { secret: false }));
  if (!found)
    throw new NodeProblem("Give the key of this machine in NODEBEAT_KEY, or name the member with --email ADDRESS.");
  return found.trim().toLowerCase();
}

/** Signs in for a key of this machine, and saves it at `path`. */
async function enrolMachine(
  settings: NodeSettings,
  { email, path }: { email: string; path: string },
  call: Caller,
  around: Surroundings,
): Promise<Device> {
  const password = settings.password ?? (await around.prompt?.(`Password of ${email}: `, { secret: true }));
  if (!password) throw new NodeProblem("Set NODEBEAT_PASSWORD, or start in a terminal to be asked for it.");
  const { device, signOut } = await signIn(call, { email, password, name: settings.name }, around);
  saveOrReport(path, device, around);
  await signOut();
  return device;
}

/** Saves the device. If the disk does not allow that, the node beats all the same. */
function saveOrReport(path: string, device: Device, { report }: Surroundings) {
  try {
    saveDevice(path, device);
  } catch (error) {
    report(`the key cannot be kept in ${path}: the next start signs in again (${describeFileError(error)})`);
  }
}

const explainRefusal = (cause: CallFailed, remedy: string) =>
  new CallFailed(`The server does not accept this machine's key. ${remedy}`, {
    status: cause.status,
    code: cause.code,
    cause,
  });
