/** Notes after work on campaigns, points, invitations, documents, queues and webhooks (notes.ts). */
export const WORK_SENTENCES = {
  "campaign-made": (about: string) => `The campaign ${about} is created.`,
  "campaign-changed": (about: string) => `The campaign ${about} is updated.`,
  "campaign-ended": (about: string) => `The campaign ${about} has ended. Members can still claim what they completed.`,
  "points-posted": (about: string) => `Posted: ${about}.`,
  "points-asked": (about: string) => `Waiting for another administrator to approve: ${about}.`,
  "points-before": (about: string) => `Nothing changed: ${BEFORE.get(about) ?? "this was requested before."}`,
  "points-approved": (about: string) => `Approved and posted: ${about}.`,
  "points-declined": () => "Declined: nothing is posted.",
  "referral-released": () => "Released: the friend has the points.",
  "referral-refused": () => "Refused: nobody is paid.",
  "draft-saved": () => "The draft is saved. Below is what members will read.",
  "draft-discarded": () => "The draft is discarded.",
  "document-published": (about: string) => `Version ${about} is published.`,
  "job-retried": () => "It runs within a second or two.",
  "letters-retried": (about: string) => `${about} will be sent again.`,
  "letter-removed": () => "Removed: the email will not be sent.",
  "webhook-paused": () => "Paused: messages wait until you resume the webhook.",
  "webhook-paused-already": () => "The webhook was already paused.",
  "webhook-resumed": (about: string) => `Resumed: ${formatWaiting(about)}`,
  "webhook-resumed-already": () => "The webhook was already active.",
  "webhook-removed": () => "Removed: nothing more is sent to this address.",
  "webhook-queued": (about: string) =>
    about === "1" ? "1 message is waiting to be sent again." : `${about} messages are waiting to be sent again.`,
  "webhook-queued-first": (about: string) =>
    `The first messages are waiting to be sent again. There are more: send again from ${about} UTC.`,
};

/** Notes by the state of the request that had the same key. */
const BEFORE = new Map([
  ["posted", "these points were posted before."],
  ["declined", "this was requested before, and declined."],
  ["expired", "this was requested before, and the request has expired. Request the points again."],
  ["void", "this was requested before, by an administrator who has since lost the role."],
]);

function formatWaiting(about: string) {
  if (about === "0") return "no messages were waiting.";
  return about === "1" ? "1 waiting message is being sent." : `${about} waiting messages are being sent.`;
}
