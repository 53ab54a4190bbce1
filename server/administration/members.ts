import * as z from "zod";
import type { Db, Tx } from "../db/client.ts";
import { AppError } from "../errors.ts";
import { emailKey } from "../mail/email-key.ts";
import * as queries from "./queries.ts";

type NamedMember = Awaited<ReturnType<typeof queries.findMembers>>[number];

const isId = (name: string) => z.uuid().safeParse(name).success;

/**
 * Finds members by address or id, and returns a function that looks them up by name. With `lock` they stay unchanged
 * until the transaction ends: "share" lets others lock them the same way, "no key update" is for changing them.
 */
export async function findMembersByName(db: Db | Tx, names: readonly string[], lock?: "share" | "no key update") {
  const ids = names.filter(isId);
  const emailKeys = names.filter((name) => !isId(name)).map(emailKey);
  const found = await queries.findMembers(db, { ids, emailKeys }, lock);
  const byKey = new Map<string, NamedMember>(
    found.flatMap((member): [string, NamedMember][] => [
      [member.id, member],
      [member.emailKey, member],
    ]),
  );
  return (name: string) => byKey.get(emailKey(name));
}

/** Returns one member by address or id. Throws NOT_FOUND. */
export async function findMember(db: Db | Tx, name: string, lock?: "share" | "no key update"): Promise<NamedMember> {
  const member = (await findMembersByName(db, [name], lock))(name);
  if (!member) throw new AppError("NOT_FOUND", "No member has this address or id.");
  return member;
}
