import { administrators } from "./nouns/administrators.ts";
import { campaigns } from "./nouns/campaigns.ts";
import { database } from "./nouns/database.ts";
import { doctor } from "./nouns/doctor.ts";
import { incidents } from "./nouns/incidents.ts";
import { jobs } from "./nouns/jobs.ts";
import { ledger } from "./nouns/ledger.ts";
import { members } from "./nouns/members.ts";
import { points } from "./nouns/points.ts";
import { referrals } from "./nouns/referrals.ts";
import { secrets } from "./nouns/secrets.ts";
import { sessions } from "./nouns/sessions.ts";
import { webhooks } from "./nouns/webhooks.ts";
import { whitelist } from "./nouns/whitelist.ts";
import type { Noun, Operation } from "./operation.ts";

/** Everything that an operator can do, by noun and verb. */
export const NOUNS: Readonly<Record<string, Noun>> = {
  administrators,
  whitelist,
  campaigns,
  points,
  ledger,
  referrals,
  members,
  sessions,
  jobs,
  database,
  secrets,
  doctor,
  webhooks,
  incidents,
};

export const findNoun = (noun: string): Noun | undefined => (Object.hasOwn(NOUNS, noun) ? NOUNS[noun] : undefined);

export function findOperation(noun: string, verb: string): Operation | undefined {
  const verbs = findNoun(noun)?.verbs ?? {};
  return Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
}
