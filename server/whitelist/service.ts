import type { Act, Actor } from "../administration/actor.ts";
import { findMember, findMembersByName } from "../administration/members.ts";
import { toPage } from "../administration/paging.ts";
import { administer, permit } from "../administration/service.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { emailKey } from "../mail/email-key.ts";
import type {
  MemberQuestion,
  WhitelistChange,
  WhitelistChanges,
  WhitelistPage,
  WhitelistQuery,
  WhitelistStanding,
} from "./contract.ts";
import * as queries from "./queries.ts";

type WhitelistDeps = Pick<Deps, "db" | "now">;

/**
 * Puts members on the whitelist, or takes them off it. Repeating it changes nothing. Addresses without a member are
 * reported, and do not affect the others. Throws FORBIDDEN and PASSWORD_REQUIRED.
 */
export async function setWhitelisted(
  deps: WhitelistDeps,
  act: Act,
  { emails, whitelisted }: WhitelistChange,
): Promise<WhitelistChanges> {
  return administer(deps, act, async (tx, note) => {
    const memberOf = await findMembersByName(tx, emails, "no key update");
    const due = emails.flatMap((email) => memberOf(email) ?? []).filter((each) => each.isWhitelisted !== whitelisted);
    const ids = new Set(due.map(({ id }) => id));
    await queries.markWhitelisted(tx, [...ids], whitelisted);
    const change = { action: whitelisted ? queries.WHITELISTED : queries.UNLISTED, subject: "member" } as const;
    await note(...Array.from(ids, (subjectId) => ({ ...change, subjectId })));
    const outcomeOf = (email: string) => {
      const member = memberOf(email);
      if (!member) return "unknown";
      return ids.has(member.id) ? "changed" : "unchanged";
    };
    const keys = emails.map(emailKey);
    const named = emails.filter((email, at) => keys.indexOf(emailKey(email)) === at);
    return { changed: ids.size, results: named.map((email) => ({ email, outcome: outcomeOf(email) })) };
  });
}

/** Returns a page of the whitelist. Throws FORBIDDEN and PASSWORD_REQUIRED. */
export async function readWhitelist(
  { db, now }: Pick<Deps, "db" | "now">,
  actor: Actor,
  { after, limit }: WhitelistQuery,
): Promise<WhitelistPage> {
  await permit({ db, now }, actor);
  const found = await queries.findWhitelisted(db, { after, limit: limit + 1 });
  const { items: members, next } = toPage(found, limit, { show: describeStanding, cursor: ({ id }) => id });
  return { members, next };
}

/**
 * Returns whether a member is on the whitelist, since when and by whom. Throws FORBIDDEN, PASSWORD_REQUIRED, and
 * NOT_FOUND if there is no such member.
 */
export async function checkWhitelisted(
  { db, now }: Pick<Deps, "db" | "now">,
  actor: Actor,
  { member: name }: MemberQuestion,
): Promise<WhitelistStanding> {
  await permit({ db, now }, actor);
  const { id } = await findMember(db, name);
  const standing = await queries.findStanding(db, id);
  if (!standing) throw new AppError("NOT_FOUND", "No member has this address or id.");
  return describeStanding(standing);
}

/**
 * Describes a member's place on the whitelist. The audit log tells since when and by whom, unless a change bypassed it.
 */
function describeStanding({ latest, ...member }: queries.Standing): WhitelistStanding {
  if (!member.isWhitelisted || latest?.action !== queries.WHITELISTED) return { ...member, since: null, by: null };
  const { actor, actorEmail, actorId, at } = latest;
  return { ...member, since: at.toISOString(), by: { kind: actor, id: actorId, email: actorEmail } };
}
