import * as z from "zod";
import { OPERATOR } from "../../administration/actor.ts";
import { MemberName } from "../../administration/contract.ts";
import { findMember } from "../../administration/members.ts";
import { unlinkMember } from "../../auth/provider/unlink-member.ts";
import { readMember } from "../../member-administration/service.ts";
import { blockMember, unblockMember } from "../../sessions/blocking.ts";
import { changing, reading, type Noun, type OpsDeps } from "../operation.ts";

const one = { usage: "<email or id>", words: ["member"], input: z.object({ member: MemberName }) };

export const members: Noun = {
  summary: "how a member's account stands, who may not sign in, and who is somebody else at Supabase",
  verbs: {
    show: reading({
      ...one,
      summary: "how the account of a member stands",
      read: readAccount,
      describe: (account) => [
        `${account.id}  ${account.email}`,
        `joined ${account.createdAt}, ${account.onboardedAt ? `onboarded ${account.onboardedAt}` : "not onboarded"}`,
        `${account.points} points, ${account.heartbeats} heartbeats, ${account.machines} machines with a key`,
        `${account.sessions} sessions, wallet ${account.wallet ?? "not linked"}`,
        ...(account.isWhitelisted ? ["whitelisted"] : []),
        ...(account.blockedAt ? [`blocked since ${account.blockedAt}`] : []),
        ...(account.deletionDueAt ? [`to be deleted ${account.deletionDueAt}`] : []),
      ],
    }),
    block: changing({
      ...one,
      summary: "signs a member out everywhere, lets them in no more and refuses their machines",
      change: blockMember,
      describe: ({ email, changed }) => [changed ? `${email} is blocked.` : `${email} was blocked already.`],
    }),
    unblock: changing({
      ...one,
      summary: "lets a member in again, with the password and the keys that they had",
      change: unblockMember,
      describe: ({ email, changed }) => [changed ? `${email} can sign in again.` : `${email} was not blocked.`],
    }),
    unlink: changing({
      ...one,
      summary: "forgets which user at Supabase a member is",
      change: unlinkMember,
      describe: ({ email, changed }) => [
        changed
          ? `${email} is linked to no user at Supabase. Whoever signs in there with this address is this member.`
          : `${email} was not linked.`,
      ],
    }),
  },
};

async function readAccount(deps: OpsDeps, { member }: { member: string }) {
  const { id } = await findMember(deps.db, member);
  const { machines, points, sessions, ...account } = await readMember(deps, OPERATOR, { id });
  return {
    ...account,
    points: points.total,
    machines: machines.filter(({ revokedAt }) => revokedAt === null).length,
    sessions: sessions.length,
  };
}
