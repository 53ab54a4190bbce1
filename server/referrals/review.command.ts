import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { openDatabase, type Db } from "../db/client.ts";
import { readEnv } from "../env.ts";
import { AppError } from "../errors.ts";
import { createLog } from "../log/log.ts";
import { StartError } from "../start-error.ts";
import { findHeld } from "./queries.ts";
import { refuseHeld, releaseHeld, type HeldReferral } from "./review.ts";

const USAGE = `Lists invitations that are held because they look like ones to oneself, and decides on them.

  npm run referrals                     lists what waits: id, inviter, friend, reason, since when
  npm run referrals -- --release <id>   pays the friend's points; an invitation like any other from then on
  npm run referrals -- --refuse <id>    ends it for good: nobody is paid

Uses the database that the server uses. The embedded one must not be in use: stop the server first.`;

const REASONS: Record<NonNullable<HeldReferral["reason"]>, string> = {
  "same-mailbox": "the same mailbox as another account",
  returned: "a mailbox that had an account before, which was deleted",
  "same-device": "joined with a browser of the inviter's",
  "disposable-address": "an address to be thrown away",
  cycle: "the mailbox or browser of somebody further up",
};

type Options = { release?: string; refuse?: string };

async function main(): Promise<void> {
  const values = readOptions();
  if (values.release !== undefined && values.refuse !== undefined) {
    throw new StartError(`Either --release or --refuse, not both.\n\n${USAGE}`);
  }
  if (values.help) return console.log(USAGE);
  const { databaseUrl, dataDir } = readEnv(process.env);
  const database = await openDatabase({ databaseUrl, dataDir, log: createLog({ level: "warn" }) });
  try {
    await review(database.db, values);
  } finally {
    await database.close();
  }
}

function readOptions() {
  try {
    return parseArgs({
      options: { release: { type: "string" }, refuse: { type: "string" }, help: { type: "boolean", short: "h" } },
    }).values;
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : ""}\n\n${USAGE}`);
  }
}

async function review(db: Db, { release, refuse }: Options) {
  const at = new Date();
  if (release !== undefined) {
    await releaseHeld(db, { id: release, at });
    return console.log("Released: the friend has the points.");
  }
  if (refuse !== undefined) {
    await refuseHeld(db, { id: refuse, at });
    return console.log("Refused: nobody is paid.");
  }
  const held = await findHeld(db);
  for (const each of held) console.log(describe(each));
  console.log(held.length === 0 ? "Nothing is held." : `${held.length} held.`);
}

function describe({ id, inviter, invitee, reason, heldAt }: HeldReferral) {
  return `${id}  ${inviter} → ${invitee}  ${reason ? REASONS[reason] : ""}  since ${heldAt?.toISOString()}`;
}

if (existsSync(".env")) process.loadEnvFile();

try {
  await main();
} catch (error) {
  console.error(error instanceof StartError || error instanceof AppError ? error.message : error);
  process.exitCode = error instanceof AppError ? 1 : 2;
}
