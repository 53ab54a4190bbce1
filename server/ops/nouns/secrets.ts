import * as z from "zod";
import { readRotation, rotate, SEALED, type Count, type RotationStatus } from "../rotation/service.ts";
import { reading, type Noun } from "../operation.ts";

export const secrets: Noun = {
  summary: "replacing SESSION_SECRET without signing anybody out",
  verbs: {
    status: reading({
      usage: "",
      summary: "shows what still depends on SESSION_SECRET_OTHER, and when you can remove it",
      input: z.object({}),
      read: readRotation,
      describe,
    }),
    rotate: reading({
      usage: "",
      summary: "encrypts again with SESSION_SECRET; run it once every process has the new one first",
      input: z.object({}),
      read: rotate,
      describe,
    }),
  },
};

function describe(status: RotationStatus): string[] {
  const { departedMailboxes, endsAt, openCodes, rotatedAt, sealed, secrets } = status;
  const lines = SEALED.map(([kind, what]) => `${what}: ${describeCount(sealed[kind])}`);
  if (secrets === 1) return [...lines, "There is only one secret."];
  if (!rotatedAt)
    return [
      ...lines,
      "Once every process has the new secret as SESSION_SECRET, run: npm run ops -- secrets rotate",
      "Keep SESSION_SECRET_OTHER set until `secrets status` says that you can remove it.",
    ];
  return [
    ...lines,
    `codes that were mailed before ${rotatedAt} and still work: ${openCodes}`,
    `mailboxes of deleted accounts (${departedMailboxes}) and links in emails: nothing to do, their key was kept`,
    endsAt
      ? `You can remove SESSION_SECRET_OTHER from ${endsAt} on.`
      : "Some data still needs the other secret. Check that every process has the new one first, then rotate again.",
  ];
}

const describeCount = ({ other, present, unreadable }: Count) =>
  [
    `${present} with SESSION_SECRET`,
    `${other} with the other one`,
    ...(unreadable > 0 ? [`${unreadable} that nobody can read`] : []),
  ].join(", ");
