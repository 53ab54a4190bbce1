import type { Deps } from "../deps.ts";
import type { Caller } from "../http/endpoint.ts";
import type { UnsubscribeInput } from "../mailed-code/contract.ts";
import { readMember } from "../member/member.ts";
import { readUnsubscribeCode } from "../mailed-code/unsubscribe-code.ts";
import { tryToRequireFreshReads } from "../sessions/own-writes.ts";
import { SilenceMail } from "./contract.ts";
import { saveChoice, turnOffSilenceMail } from "./queries.ts";
import { formatCount } from "../format-count.ts";

/** Returns the member's choice. By default they get no emails. */
export async function readSilenceMail({ db }: Pick<Deps, "db">, userId: string): Promise<SilenceMail> {
  const { silenceMail: choice } = await readMember(db, userId);
  return SilenceMail.parse(choice ?? { afterHours: null, tellsReturn: false });
}

/** Turns the emails on or off. A change does not send an email again about a silence that already had one. */
export async function setSilenceMail(
  { db, now }: Pick<Deps, "db" | "now">,
  { afterHours, tellsReturn }: SilenceMail,
  { userId }: Pick<Caller, "userId">,
) {
  const at = now();
  await saveChoice(db, { userId, afterHours, tellsReturn, chosenAt: at, lookAt: afterHours && at });
  return { success: true, message: afterHours ? describeChoice(afterHours) : OFF };
}

const OFF = "We do not email you when your node is silent.";
const describeChoice = (hours: number) =>
  `We email you when your node has been silent for ${formatCount(hours, "hour")}.`;

/** Turns the emails off for the member whose code this is. Throws NOT_FOUND if the code is nobody's. */
export async function unsubscribe(deps: Pick<Deps, "db" | "log" | "mailed" | "replica">, { code }: UnsubscribeInput) {
  const userId = await readUnsubscribeCode(deps, "silenceLink", code);
  await turnOffSilenceMail(deps.db, userId);
  // The call has no session, but the member may be signed in.
  await tryToRequireFreshReads(deps, userId);
  return { success: true, message: OFF };
}
