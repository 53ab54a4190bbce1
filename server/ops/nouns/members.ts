import { OPERATOR } from "../../administration/actor.ts";
import { findMember } from "../../administration/members.ts";
import { findSubject } from "../../auth/provider/supabase.queries.ts";
import { unlinkMember } from "../../auth/provider/unlink-member.ts";
import { readMember } from "../../member-administration/service.ts";
import { blockMember, unblockMember } from "../../sessions/blocking.ts";
import { formatCount } from "../../format-count.ts";
import { oneMember } from "./one-member.ts";
import { returnedVerbs } from "./returned.ts";
import { changing, reading, type Noun, type OpsDeps } from "../operation.ts";

export const members: Noun = {
  summary: "a member's account, blocking, the link to a Supabase user, and accounts that a restore brought back",
  verbs: {
    show: reading({
      ...oneMember,
      summary: "shows a member's account",
      read: readAccount,
      describe: (account) => [
        `${account.id}  ${account.email}`,
        `joined ${account.createdAt}, ${account.onboardedAt ? `onboarded ${account.onboardedAt}` : "not onboarded"}`,
        `${formatCount(account.points, "point")}, ${formatCount(account.heartbeats, "heartbeat")}, ${formatCount(account.machines, "machine")} with a key`,
        `${formatCount(account.sessions, "session")}, wallet ${account.wallet ?? "not linked"}`,
        ...(account.isAdministrator ? ["administrator"] : []),
        ...(account.isWhitelisted ? ["whitelisted"] : []),
        ...(account.blockedAt ? [`blocked since ${account.blockedAt}`] : []),
        ...(account.deletionDueAt ? [`to be deleted ${account.deletionDueAt}`] : []),
        ...(account.supabaseUser ? [`linked to the user ${account.supabaseUser} at Supabase`] : []),
      ],
    }),
    block: changing({
      ...oneMember,
      summary: "signs a member out everywhere, and refuses their sign-ins and machines",
      change: blockMember,
      describe: ({ email, changed }) => [changed ? `${email} is blocked.` : `${email} was already blocked.`],
    }),
    unblock: changing({
      ...oneMember,
      summary: "lets a member in again, with their former password and keys",
      change: unblockMember,
      describe: ({ email, changed }) => [changed ? `${email} can sign in again.` : `${email} was not blocked.`],
    }),
    unlink: changing({
      ...oneMember,
      summary: "removes the link between a member and a Supabase user",
      change: unlinkMember,
      describe: ({ email, changed }) => [
        changed
          ? `${email} is no longer linked to a user at Supabase. Whoever signs in there with this address next becomes this member.`
          : `${email} was not linked.`,
      ],
    }),
    ...returnedVerbs,
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
    supabaseUser: await findSubject(deps.db, id),
  };
}
