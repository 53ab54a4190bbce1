import type { User } from "@supabase/auth-js";
import * as z from "zod";
import type { Tx } from "../../db/client.ts";
import { inTransaction } from "../../db/transaction.ts";
import { isUniqueViolation } from "../../db/unavailable.ts";
import { AppError } from "../../errors.ts";
import { NO_CLIENT } from "../../http/client.ts";
import { emailKey } from "../../mail/email-key.ts";
import { recordEvent } from "../../security-activity/service.ts";
import { endSessions, forgetDevices } from "../../sessions/service.ts";
import { setAddress } from "../address.ts";
import * as emails from "../emails.ts";
import { endOpenRequests } from "../open-requests.ts";
import { lockEmail } from "../queries.ts";
import { fetchSettings, unavailable, type SupabaseDeps } from "./supabase-client.ts";
import { findLinkedMember } from "./supabase.queries.ts";

/**
 * Updates a member's address here to the one that they have at Supabase. First makes sure that an address that is new
 * here was confirmed: a project that accepts unconfirmed addresses would hand every account of ours to anybody who
 * names its address. `but` is the session that continues when the others end. Throws UNAVAILABLE.
 */
export async function syncAddress(deps: SupabaseDeps, user: User, { but }: { but?: string } = {}): Promise<void> {
  const member = await findLinkedMember(deps.db, user.id);
  if (member && (!user.email || isSame(member.email, user.email))) return;
  await requireConfirmedEmail(deps, user);
  if (member && user.email) await moveTo(deps, { userId: member.userId, email: user.email, but });
}

const isSame = (one: string, other: string) => emailKey(one) === emailKey(other);

const Settings = z.object({ mailer_autoconfirm: z.boolean() });

async function requireConfirmedEmail(deps: SupabaseDeps, user: User): Promise<void> {
  const { mailer_autoconfirm: isUnseen } = await readSettings(deps);
  if (!isUnseen && user.email && user.email_confirmed_at) return;
  deps.log.error("Supabase lets addresses in that nobody has confirmed: switch on “Confirm email” there");
  throw new AppError("UNAVAILABLE", "This does not work right now. Please try again later.", { retryAfter: 300 });
}

async function readSettings(deps: SupabaseDeps) {
  try {
    return Settings.parse(await fetchSettings(deps.supabase));
  } catch (cause) {
    throw unavailable(deps, cause);
  }
}

type Move = { userId: string; email: string; but: string | undefined };

/**
 * Moves a member to another address. If another member here has that address, both keep the addresses that they have.
 */
async function moveTo(deps: SupabaseDeps, move: Move): Promise<void> {
  try {
    await inTransaction(deps.db, (tx) => changeAddress(deps, tx, move));
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    deps.log.error(
      { userId: move.userId },
      "a member's address at Supabase is another member's here, and is not taken over",
    );
  }
}

/** Changes the address and does what follows from that, whichever provider keeps it (docs/decisions/0071). */
async function changeAddress(
  { mailed, now: clock, outbox }: SupabaseDeps,
  tx: Tx,
  { userId, email, but }: Move,
): Promise<void> {
  const former = await lockEmail(tx, userId);
  if (isSame(former, email)) return;
  const now = clock();
  const scope = { db: tx, now: clock };
  await setAddress({ mailed, outbox }, tx, { userId, email, now });
  await endSessions(scope, { userId, but });
  await forgetDevices(tx, { userId });
  await endOpenRequests(tx, { userId, now });
  await recordEvent(scope, { userId, kind: "email-changed-elsewhere", client: NO_CLIENT });
  await outbox.post(tx, { ...emails.addressChanged(former, { at: now }), of: email });
}
