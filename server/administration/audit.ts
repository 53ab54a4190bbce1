import * as z from "zod";
import type { Db } from "../db/client.ts";
import { auditEntries } from "../db/schema.ts";
import type { Deps } from "../deps.ts";
import type { Actor } from "./actor.ts";
import type { AuditEntry, AuditQuery } from "./contract.ts";
import { findMembersByName } from "./members.ts";
import { toPage } from "./paging.ts";
import { findEntries, type Subject } from "./queries.ts";
import { permit } from "./service.ts";

/**
 * Returns a page of the audit log, latest first. A filter by a name that nobody has finds nothing. Throws FORBIDDEN and
 * PASSWORD_REQUIRED.
 */
export async function readAudit({ db, now }: Pick<Deps, "db" | "now">, actor: Actor, asked: AuditQuery) {
  await permit({ db, now }, actor);
  const [about, by] = await Promise.all([toSubject(db, asked.about), toId(db, asked.by)]);
  if (about === null || by === null) return { items: [], next: null };
  const after = z.uuid().safeParse(asked.after).data;
  const rows = await findEntries(db, { about, by, action: asked.action || undefined, after, limit: asked.limit + 1 });
  return toPage(rows, asked.limit, { show: describeEntry, cursor: ({ id }) => id });
}

/** Returns the id of the member that a filter names: undefined without a filter, null if nobody has the address. */
async function toId(db: Db, name: string | undefined): Promise<string | undefined | null> {
  if (!name) return undefined;
  if (z.uuid().safeParse(name).success) return name.toLowerCase();
  return (await findMembersByName(db, [name]))(name)?.id ?? null;
}

/** Returns the subject that a filter names: a member, or anything else by kind and name, such as `campaign survey`. */
async function toSubject(db: Db, name: string | undefined): Promise<Subject | undefined | null> {
  const [kind, ...rest] = name?.split(" ") ?? [];
  const subject = auditEntries.subject.enumValues.find((each) => each === kind);
  const own = rest.join(" ");
  if (subject && subject !== "member" && own) return { subject, subjectId: own };
  const id = await toId(db, subject === "member" && own ? own : name);
  return typeof id === "string" ? { subject: "member", subjectId: id } : id;
}

type FoundEntry = Awaited<ReturnType<typeof findEntries>>[number];

const Details = z.record(z.string(), z.unknown()).catch({});

function describeEntry({ at, actor, actorId, actorEmail, details, ...entry }: FoundEntry): AuditEntry {
  const by = { kind: actor, id: actorId, email: actorEmail };
  return { ...entry, at: at.toISOString(), by, details: Details.parse(details) };
}
