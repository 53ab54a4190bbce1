/** What is said after work on campaigns, points, invitations, documents and queues (notes.ts). */
export const WORK_SENTENCES = {
  "campaign-made": (about: string) => `The campaign ${about} is made.`,
  "campaign-changed": (about: string) => `The campaign ${about} is as you have set it.`,
  "campaign-ended": (about: string) => `The campaign ${about} has ended. What was completed can still be claimed.`,
  "points-posted": (about: string) => `Posted: ${about} points.`,
  "points-asked": (about: string) => `${about} points wait for another administrator to agree.`,
  "points-before": () => "Nothing done: this was asked for before.",
  "points-approved": (about: string) => `Agreed: ${about} points are posted.`,
  "points-declined": () => "Declined: nothing is posted.",
  "referral-released": () => "Released: the friend has the points.",
  "referral-refused": () => "Refused: nobody is paid.",
  "draft-saved": () => "The draft is saved. Below is what members will read.",
  "draft-discarded": () => "The draft is thrown away.",
  "document-published": (about: string) => `Version ${about} is published.`,
  "job-retried": () => "It is done within a second or two, where a server runs.",
  "letters-retried": (about: string) => `${about} letters are sent again, as far as the mail server takes them.`,
  "letter-removed": () => "Removed: the letter is never sent.",
};
