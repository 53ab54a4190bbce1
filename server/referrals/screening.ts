import { disposableEmailBlocklistSet } from "disposable-email-domains-js";
import type { Tx } from "../db/client.ts";
import type { HeldReason } from "./contract.ts";
import { findInvitee, findKinship, hasDeparted, hasTwin, waitForTwins } from "./screening.queries.ts";

const DISPOSABLE = disposableEmailBlocklistSet();

type Invitation = {
  inviterId: string;
  inviteeId: string;
  deviceHash: Buffer | undefined;
  /** Under which the mailbox may be kept of an account that was deleted. */
  mailboxHashes: readonly Buffer[];
};

/**
 * Why an invitation is looked at before anything is paid for it; undefined for an ordinary one. The reason that says
 * most comes first: people share a browser or like throw-away addresses more often than they share a mailbox.
 */
export async function screenInvitation(
  tx: Tx,
  { inviterId, inviteeId, deviceHash, mailboxHashes }: Invitation,
): Promise<HeldReason | undefined> {
  const { mailboxKey, domain } = await findInvitee(tx, inviteeId);
  await waitForTwins(tx, mailboxKey);
  // Before those that have departed: one that departs in between is still a twin here, or is among them there.
  const isTwin = await hasTwin(tx, { inviteeId, mailboxKey });
  if (await hasDeparted(tx, mailboxHashes)) return "returned";
  const [inviter, ...above] = await findKinship(tx, { inviterId, mailboxKey, deviceHash });
  if (inviter?.sharesMailbox) return "same-mailbox";
  if (above.some(({ sharesMailbox, sharesDevice }) => sharesMailbox || sharesDevice)) return "cycle";
  if (isTwin) return "same-mailbox";
  if (inviter?.sharesDevice) return "same-device";
  return isDisposable(domain) ? "disposable-address" : undefined;
}

/** Whether a domain, or one that it is part of, gives addresses away to be thrown away. */
function isDisposable(domain: string): boolean {
  const labels = domain.split(".");
  return labels.some((_, index) => DISPOSABLE.has(labels.slice(index).join(".")));
}
