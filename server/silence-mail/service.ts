import { timingSafeEqual } from "node:crypto";
import * as z from "zod";
import { hashCredential } from "../secrets/credential.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import type { Caller } from "../http/endpoint.ts";
import { SilenceMail, type UnsubscribeInput } from "./contract.ts";
import { findChoice, saveChoice, saveOff } from "./queries.ts";

/** What the member has chosen; nothing, unless they did. */
export async function readSilenceMail({ db }: Pick<Deps, "db">, userId: string): Promise<SilenceMail> {
  const choice = await findChoice(db, userId);
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

const OFF = "You get no mail when your node is silent.";
const describeChoice = (hours: number) =>
  `You get a mail when your node is silent for ${hours === 1 ? "1 hour" : `${hours} hours`}.`;

/** The code of the link that ends these mails: it opens nothing else, and is as good in ten years. */
export const createCode = ({ mailed }: Pick<Deps, "mailed">, userId: string): string =>
  `${userId}.${mailed.createLink("silenceLink", userId).token}`;

/** Turns the mails off for the member whose code it is. Throws NOT_FOUND for a code that is nobody's. */
export async function unsubscribe(deps: Pick<Deps, "db" | "mailed">, { code }: UnsubscribeInput) {
  const userId = readCode(deps, code);
  if (!userId) throw new AppError("NOT_FOUND", "This link is not whole. Open it as it stands in the mail.");
  await saveOff(deps.db, userId);
  return { success: true, message: OFF };
}

function readCode(deps: Pick<Deps, "mailed">, code: string): string | undefined {
  const { data: userId } = z.uuid().safeParse(code.split(".")[0]);
  return userId && timingSafeEqual(hashCredential(code), hashCredential(createCode(deps, userId))) ? userId : undefined;
}
