import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beat, CALL_TIMEOUT } from "./beat.ts";
import { openBeatQueue } from "./beat-queue.ts";
import { CallFailed, createCaller, type Caller } from "./call.ts";
import { findOnlyMember, folderOf, readDevice, saveDevice, type Device } from "./device-file.ts";
import type { Patience } from "./persist.ts";
import { NodeProblem } from "./problem.ts";
import type { NodeSettings } from "./settings.ts";
import { signIn } from "./sign-in.ts";

export type Surroundings = Patience & {
  /** Asks the person at the terminal; undefined where there is none. */
  ask: ((question: string, options: { secret: boolean }) => Promise<string>) | undefined;
};

/**
 * Runs a member's node until the signal ends it: signs in where this machine has no key yet, and beats.
 * Throws NodeProblem or CallFailed, with a sentence for the person who started it.
 */
export async function runNode(settings: NodeSettings, around: Surroundings): Promise<void> {
  const { report, signal } = around;
  const call = createCaller({ ...settings, signal, timeout: CALL_TIMEOUT });
  const email = await findEmail(settings, around);
  const folder = folderOf(settings, email);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const enrol = () => enrolMachine(settings, email, join(folder, "device.json"), call, around);
  const queue = openBeatQueue(join(folder, "beats"), around.clock.now());
  let device = (settings.renew ? undefined : readDevice(join(folder, "device.json"))) ?? (await enrol());

  report(`beating for ${device.email} at ${settings.url}${queue.size > 0 ? `, ${queue.size} waiting` : ""}`);
  for (let renewed = settings.renew; ; renewed = true) {
    try {
      return await beat({ ...around, call, queue, deviceKey: device.deviceKey });
    } catch (error) {
      if (signal.aborted)
        return report(queue.size > 0 ? `stopped, ${queue.size} waiting for the next start` : "stopped");
      if (!(error instanceof CallFailed) || error.status !== 401) throw error;
      if (renewed || !settings.password) throw explainRefusal(error);
      report("the server does not know this machine's key: signing in again");
      device = await enrol();
    }
  }
}

async function findEmail({ email, folder, url }: NodeSettings, { ask }: Surroundings): Promise<string> {
  const found = email ?? findOnlyMember({ folder, url }) ?? (await ask?.("Email: ", { secret: false }));
  if (!found) throw new NodeProblem("Say whom to beat for: --email ADDRESS, or NODEBEAT_EMAIL.");
  return found.trim().toLowerCase();
}

async function enrolMachine(
  settings: NodeSettings,
  email: string,
  path: string,
  call: Caller,
  around: Surroundings,
): Promise<Device> {
  const password = settings.password ?? (await around.ask?.(`Password of ${email}: `, { secret: true }));
  if (!password) throw new NodeProblem("Set NODEBEAT_PASSWORD, or start in a terminal to be asked for it.");
  const device = await signIn(call, { email, password, name: settings.name }, around);
  saveDevice(path, device);
  return device;
}

const explainRefusal = (cause: CallFailed) =>
  new CallFailed("The server does not accept this machine's key. Get a new one: npm run node -- --sign-in", {
    status: cause.status,
    code: cause.code,
    cause,
  });
