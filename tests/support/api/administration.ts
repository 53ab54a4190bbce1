import { asc, eq } from "drizzle-orm";
import { OPERATOR, type Act } from "../../../server/administration/actor.ts";
import { addAdministrator } from "../../../server/administration/service.ts";
import type { Db } from "../../../server/db/client.ts";
import { auditEntries, sessions } from "../../../server/db/schema.ts";
import type { Deps } from "../../../server/deps.ts";
import { hashCredential } from "../../../server/secrets/credential.ts";
import { startSession } from "../../../server/sessions/service.ts";
import { NO_CLIENT, seedMember } from "./api.ts";

export const BY_OPERATOR: Act = { actor: OPERATOR, reason: "A test needs it" };

/** The values of the form that creates a campaign. */
export const CAMPAIGN_FIELDS = {
  id: "survey",
  name: "Survey",
  type: "form",
  formUrl: "https://forms.example",
  bonusPoints: "250.5",
  taskNumber: "1",
  mandatory: "no",
  startsAt: "",
  endsAt: "",
  buttonText: "",
  emailMembers: "no",
};

/** Adds an administrator, with a session in which they have just given their password. */
export async function seedAdministrator(deps: Deps, email?: string) {
  const { user } = await seedMember(deps, email === undefined ? {} : { email });
  await addAdministrator(deps, BY_OPERATOR, { member: user.id });
  const { token } = await startSession(deps, { userId: user.id, client: NO_CLIENT, byPassword: true });
  return { user, token };
}

/** Acts as if an administrator had just given their password again. */
export async function markPasswordFresh({ db, now }: Pick<Deps, "db" | "now">, token: string): Promise<void> {
  await db
    .update(sessions)
    .set({ passwordAt: now() })
    .where(eq(sessions.tokenHash, hashCredential(token)));
}

/** Returns the audit log, oldest first, without the entries of `seedAdministrator`. */
export async function readAudit(db: Db) {
  const entries = await db.select().from(auditEntries).orderBy(asc(auditEntries.id));
  return entries.filter(({ action, reason }) => action !== "administrator.added" || reason !== BY_OPERATOR.reason);
}
