import { disposableEmailBlocklistSet } from "disposable-email-domains-js";
import type { Tx } from "../db/client.ts";
import type { HeldReason } from "./contract.ts";
import { findInvitee, findSharedTraits, hasDeparted, isMailboxShared, lockMailbox } from "./screening.queries.ts";

const DISPOSABLE = disposableEmailBlocklistSet();

type Invitation = {
  inviterId: string;
  inviteeId: string;
  deviceHash: Buffer | undefined;
  /** The hashes under which a deleted account may have left this mailbox. */
  mailboxHashes: readonly Buffer[];
};

/**
 * Returns why an invitation must be reviewed before anything is paid for it; undefined for an ordinary one. The
 * strongest reason comes first: people share browsers or use throw-away addresses more often than they share a mailbox.
 */
export async function screenInvitation(
  tx: Tx,
  { inviterId, inviteeId, deviceHash, mailboxHashes }: Invitation,
): Promise<HeldReason | undefined> {
  const { mailboxKey, domain } = await findInvitee(tx, inviteeId);
  await lockMailbox(tx, mailboxKey);
  // Checked before departed mailboxes: an account that departs in between is found by one of the two checks.
  const isTwin = await isMailboxShared(tx, { inviteeId, mailboxKey });
  if (await hasDeparted(tx, mailboxHashes)) return "returned";
  const [inviter, ...above] = await findSharedTraits(tx, { inviterId, mailboxKey, deviceHash });
  if (inviter?.sharesMailbox) return "same-mailbox";
  if (above.some(({ sharesMailbox, sharesDevice }) => sharesMailbox || sharesDevice)) return "cycle";
  if (isTwin) return "same-mailbox";
  if (inviter?.sharesDevice) return "same-device";
  return isDisposable(domain) ? "disposable-address" : undefined;
}

/** Returns whether a domain, or a parent of it, offers disposable addresses. */
function isDisposable(domain: string): boolean {
  const labels = domain.split(".");
  return labels.some((_, index) => DISPOSABLE.has(labels.slice(index).join(".")));
}
