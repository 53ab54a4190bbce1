import * as z from "zod";
import { OPERATOR } from "../../administration/actor.ts";
import { readHeld, refuseHeld, releaseHeld, type HeldReferral } from "../../referrals/review.ts";
import { changing, reading, type Noun } from "../operation.ts";

const REASONS: Record<NonNullable<HeldReferral["reason"]>, string> = {
  "same-mailbox": "the same mailbox as another account",
  returned: "a mailbox that had an account before, which was deleted or has another address now",
  "same-device": "joined with a browser that the inviter uses",
  "disposable-address": "a disposable email address",
  cycle: "the mailbox or browser of somebody higher up in the chain of invitations",
};

const held = { usage: "<id>", words: ["id"], input: z.object({ id: z.string().max(64) }) };

export const referrals: Noun = {
  summary: "invitations that are held because somebody may have invited themselves",
  verbs: {
    list: reading({
      usage: "",
      summary: "lists them, the oldest first: id, inviter, friend, reason, since when",
      input: z.object({}),
      async read(deps) {
        const waiting = await readHeld(deps, OPERATOR);
        return waiting.map(({ id, inviter, invitee, reason, heldAt }) => {
          return { id, inviter, invitee, reason, heldAt: heldAt?.toISOString() ?? null };
        });
      },
      describe: (waiting) => [
        ...waiting.map(
          ({ id, inviter, invitee, reason, heldAt }) =>
            `${id}  ${inviter} → ${invitee}  ${reason ? REASONS[reason] : ""}  since ${heldAt}`,
        ),
        waiting.length === 0 ? "Nothing is held." : `${waiting.length} held.`,
      ],
    }),
    release: changing({
      ...held,
      summary: "pays the friend's points, and treats the invitation like any other from then on",
      async change(deps, act, { id }) {
        await releaseHeld(deps, act, { id });
        return { id, review: "released" };
      },
      describe: () => ["Released: the friend has the points."],
    }),
    refuse: changing({
      ...held,
      summary: "refuses one for good: nobody is paid",
      async change(deps, act, { id }) {
        await refuseHeld(deps, act, { id });
        return { id, review: "refused" };
      },
      describe: () => ["Refused: nobody is paid."],
    }),
  },
};
