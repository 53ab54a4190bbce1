import { PROVIDER_SESSIONS } from "../../auth/provider/supabase-client.ts";
import { FORM_LIFETIME_MS } from "../../bot-check/embedded.ts";
import type { Db } from "../../db/client.ts";
import { AppError } from "../../errors.ts";
import { createEmailSeal } from "../../mail/email-seal.ts";
import { findSealedKeys } from "../../mailed-code/queries.ts";
import { createKeyedCredentials } from "../../secrets/credential.ts";
import { createSeal } from "../../secrets/seal.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import { WEBHOOK_SECRETS } from "../../webhooks/outgoing.ts";
import { MESSAGE_LIFETIME_SECONDS } from "../../wallet/contract.ts";
import type { OpsDeps } from "../operation.ts";
import * as queries from "./queries.ts";

/** The kinds of sealed data, with their names for people. */
export const SEALED = [
  ["letters", "queued emails"],
  ["sessions", "sessions at Supabase"],
  ["recoveries", "password resets at Supabase"],
  ["signUps", "passwords of sign-ups for Supabase"],
  ["webhooks", "secrets of webhooks"],
  ["formerWebhooks", "previous secrets of webhooks"],
] as const;
const WORDS = new Map<queries.Kind, string>(SEALED);

/**
 * How many rows of one kind are sealed by the present secret, by the other one, and by neither: nobody can read those.
 */
export type Count = { present: number; other: number; unreadable: number };

export type RotationStatus = {
  /** How many secrets there are: one, or two while one replaces the other. */
  secrets: number;
  sealed: Record<queries.Kind, Count>;
  /** Since when the other secret has made nothing new. Null before `secrets rotate` has ended. */
  rotatedAt: string | null;
  /** How many codes that the other secret may have made are still valid. */
  openCodes: number;
  departedMailboxes: number;
  /**
   * When the other secret can be removed without a loss. Null if there is none, before `secrets rotate`, or if anything
   * still needs it.
   */
  endsAt: string | null;
};

/**
 * How long a form or a message to sign is valid at most, in milliseconds. One may have been made just before rotation.
 */
const SHORT_LIVED_MS = Math.max(FORM_LIFETIME_MS, MESSAGE_LIFETIME_SECONDS * 1000);

/** Returns what still depends on the other secret. */
export async function readRotation(deps: OpsDeps): Promise<RotationStatus> {
  const secrets = await requireSecrets(deps);
  const { db, now } = deps;
  const seals = createSeals(secrets);
  const sealed = {
    letters: await count(deps, "letters", seals.letters),
    sessions: await count(deps, "sessions", seals.provider),
    recoveries: await count(deps, "recoveries", seals.provider),
    signUps: await count(deps, "signUps", seals.provider),
    webhooks: await count(deps, "webhooks", seals.webhooks),
    formerWebhooks: await count(deps, "formerWebhooks", seals.webhooks),
  };
  const rotatedAt = await findRotation(db, secrets);
  const codes = rotatedAt && (await queries.findOpenCodes(db, { until: rotatedAt, now: now() }));
  const isLeft = Object.values(sealed).some(({ other }) => other > 0);
  const ends = rotatedAt && [rotatedAt.getTime() + SHORT_LIVED_MS, codes?.last?.getTime() ?? 0];
  return {
    secrets: secrets.length,
    sealed,
    rotatedAt: rotatedAt?.toISOString() ?? null,
    openCodes: codes?.count ?? 0,
    departedMailboxes: await queries.countDeparted(db),
    endsAt: ends && !isLeft ? new Date(Math.max(...ends)).toISOString() : null,
  };
}

/**
 * Seals with the present secret what was sealed with the other one, and keeps the keys of the other one for what never
 * expires. Safe to run again at any time. Throws VALIDATION_ERROR if there is no other secret.
 */
export async function rotate(deps: OpsDeps): Promise<RotationStatus> {
  const secrets = await requireSecrets(deps);
  if (secrets.length < 2)
    throw new AppError("VALIDATION_ERROR", "There is only one secret: put the former one into SESSION_SECRET_OTHER.");
  const { db, now } = deps;
  const mailed = createKeyedCredentials(secrets);
  const { letters, provider, webhooks } = createSeals(secrets);
  // Keep these first, so that everything found below is older.
  for (const key of mailed.sealFormerKeys()) await queries.storeFormerKey(db, key, { keptAt: now(), isNew: true });
  await resealFormerKeys(db, secrets, now());
  // Index 0 is the present secret: what it sealed stays as it is. So does what no secret opens.
  await forEach(deps, "letters", async ({ id, sealed }) => {
    const renewed = letters.whose(id, sealed) ? letters.renew(id, sealed) : undefined;
    if (renewed)
      await queries.saveEmail(db, { id, was: sealed, sealed: renewed.payload, recipient: renewed.recipient });
  });
  const renewed = [
    ["sessions", provider],
    ["recoveries", provider],
    ["signUps", provider],
    ["webhooks", webhooks],
    ["formerWebhooks", webhooks],
  ] as const;
  for (const [kind, seal] of renewed) {
    await forEach(deps, kind, async ({ key, id, sealed }) => {
      if (!seal.whose(id, sealed)) return;
      await queries.saveSealed(db, { kind, key, was: sealed, sealed: seal.seal(id, seal.open(id, sealed)) });
    });
  }
  return readRotation(deps);
}

async function requireSecrets({ secrets }: OpsDeps): Promise<Secrets> {
  if (!secrets) throw new AppError("UNAVAILABLE", "This process does not know the secrets.");
  return secrets();
}

const createSeals = (secrets: Secrets) => ({
  letters: createEmailSeal(secrets),
  provider: createSeal(secrets, PROVIDER_SESSIONS),
  webhooks: createSeal(secrets, WEBHOOK_SECRETS),
});

/** Seals the kept keys of still older secrets with the present one. */
async function resealFormerKeys(db: Db, secrets: Secrets, now: Date) {
  const mailed = createKeyedCredentials(secrets);
  for (const formerKeys of await findSealedKeys(db)) {
    const renewed = mailed.renewFormerKey(formerKeys);
    if (renewed) await queries.storeFormerKey(db, renewed, { keptAt: now, isNew: false });
  }
}

/** Returns when the key of the other secret was kept. Undefined if the other secret still seals any kept key. */
async function findRotation(db: Db, secrets: Secrets): Promise<Date | undefined> {
  const mailed = createKeyedCredentials(secrets);
  const [key] = mailed.sealFormerKeys();
  const formerKeys = await findSealedKeys(db);
  if (formerKeys.some((kept) => mailed.renewFormerKey(kept))) return undefined;
  return formerKeys.find(({ id }) => id === key?.id)?.keptAt;
}

type Whose = { whose: (id: string, sealed: Buffer) => number | undefined };

async function count(deps: OpsDeps, kind: queries.Kind, { whose }: Whose): Promise<Count> {
  const counted: Count = { present: 0, other: 0, unreadable: 0 };
  await forEach(deps, kind, ({ id, sealed }) => {
    const index = whose(id, sealed);
    counted[index === undefined ? "unreadable" : index === 0 ? "present" : "other"] += 1;
  });
  return counted;
}

type Row = queries.SealedRow & { id: string };

async function forEach(
  { db, report }: OpsDeps,
  kind: queries.Kind,
  visit: (row: Row) => void | Promise<void>,
): Promise<void> {
  let seen = 0;
  for (let after: string[] | undefined; ;) {
    const page = await queries.findSealed(db, kind, after);
    for (const row of page) await visit({ ...row, id: row.key.at(-1) ?? "" });
    seen += page.length;
    report?.(`Looked at ${WORDS.get(kind)}: ${seen}.`);
    after = page.at(-1)?.key;
    if (!after || page.length < queries.PAGE) return;
  }
}
