import type { Act } from "../administration/actor.ts";
import { findMember } from "../administration/members.ts";
import { administer, isAdministrator } from "../administration/service.ts";
import { managesAddresses, setAddress } from "../auth/address.ts";
import { endOpenRequests } from "../auth/open-requests.ts";
import { isUniqueViolation } from "../db/unavailable.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { NO_CLIENT } from "../http/client.ts";
import { recordEvent } from "../security-activity/service.ts";
import { endSessions, forgetDevices } from "../sessions/service.ts";
import * as emails from "./emails.ts";

/**
 * Changes the address that a member signs in with, after they lost their mailbox. Nobody has verified the new address:
 * the administrator answers for that. Ends every session and everything that was requested by email, and sends an email
 * to both addresses. Changes nothing if the address is the same. Throws NOT_FOUND. Throws CONFLICT if another member
 * has the address, or if the member is an administrator, whose account nobody may take over this way. Throws
 * REQUIREMENTS_NOT_MET if another service keeps the addresses.
 */
export async function changeAddress(
  deps: Pick<Deps, "db" | "now" | "env" | "mailed" | "outbox" | "supabase">,
  act: Act,
  { id: name, email }: { id: string; email: string },
) {
  if (!managesAddresses(deps)) {
    throw new AppError("REQUIREMENTS_NOT_MET", "Another service keeps the addresses here. Change it there.");
  }
  try {
    return await administer(deps, act, async (tx, note, at) => {
      const { id, email: former } = await findMember(tx, name, "no key update");
      if (former === email) return { email, changed: false, ended: 0 };
      if (await isAdministrator(tx, id)) {
        throw new AppError(
          "CONFLICT",
          "An administrator's address cannot be changed. Remove them as an administrator first.",
        );
      }
      await setAddress(deps, tx, { userId: id, email, now: at });
      const ended = await endSessions({ db: tx, now: () => at }, { userId: id });
      await forgetDevices(tx, { userId: id });
      await endOpenRequests(tx, { userId: id, now: at });
      await recordEvent({ db: tx, now: deps.now }, { userId: id, kind: "address-changed", client: NO_CLIENT });
      await deps.outbox.post(tx, { ...emails.addressGone(former, { at }), of: email });
      await deps.outbox.post(tx, emails.addressNew(email, { at }));
      await note({ action: "member.address-changed", subject: "member", subjectId: id, details: { ended } });
      return { email, changed: true, ended };
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const message = "Another member has this address.";
    throw new AppError("CONFLICT", message, { fields: { email: [message] }, cause: error });
  }
}
