import type { Deps } from "../deps.ts";
import type { Caller } from "../http/endpoint.ts";
import type { UnsubscribeInput } from "../mailed-code/contract.ts";
import { readMember } from "../member/member.ts";
import { readUnsubscribeCode } from "../mailed-code/unsubscribe-code.ts";
import { tryToShowNews } from "../sessions/own-writes.ts";
import { SilenceMail } from "./contract.ts";
import { saveChoice, saveOff } from "./queries.ts";

/** What the member has chosen; nothing, unless they did. */
export async function readSilenceMail({ db }: Pick<Deps, "db">, userId: string): Promise<SilenceMail> {
  const { silenceMail: choice } = await readMember(db, userId);
  return SilenceMail.parse(choice ?? { afterHours: null, tellsReturn: false });
}

/** Turns the mails on or off. A silence that was mailed is not mailed again because the choice was changed. */
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
  `We email you when your node has been silent for ${hours === 1 ? "1 hour" : `${hours} hours`}.`;

/** Turns the mails off for the member whose code it is. Throws NOT_FOUND for a code that is nobody's. */
export async function unsubscribe(deps: Pick<Deps, "db" | "log" | "mailed" | "replica">, { code }: UnsubscribeInput) {
  const userId = await readUnsubscribeCode(deps, "silenceLink", code);
  await saveOff(deps.db, userId);
  // The call names no caller, and the member may be signed in.
  await tryToShowNews(deps, userId);
  return { success: true, message: OFF };
}
