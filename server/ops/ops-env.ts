import { describeProblems, readGiven, SECRETS, Settings, toEnv, type Env, type Source } from "../env.ts";
import { findMissing, findMissingOfDatabase, findMissingOfSecrets } from "../env-rules.ts";

/*
 * The settings as an operator's command needs them: no more than it uses, by the rules that hold for a start. All but
 * the last throw StartError as readEnv does.
 */

const DatabaseSettings = Settings.pick({ DATABASE_URL: true, DATA_DIR: true, WEBHOOK_PRIVATE_ADDRESSES: true });

/** Where the database is, and whom it may tell of what happens. */
export function readDatabaseEnv(source: Source): Pick<Env, "databaseUrl" | "dataDir" | "webhooksToPrivate"> {
  const { given, mode, problems } = readGiven(source, ["DATABASE_URL"]);
  const parsed = DatabaseSettings.safeParse(given);
  if (!parsed.success) problems.push(...parsed.error.issues.map(({ message }) => message));
  problems.push(...findMissingOfDatabase(given, mode));
  if (!parsed.success || problems.length > 0) throw describeProblems("The database cannot be reached", problems);
  return {
    databaseUrl: parsed.data.DATABASE_URL,
    dataDir: parsed.data.DATA_DIR,
    webhooksToPrivate: parsed.data.WEBHOOK_PRIVATE_ADDRESSES === "allow",
  };
}

const SecretsSettings = Settings.pick({ SESSION_SECRET: true, SESSION_SECRET_OTHER: true, DATA_DIR: true });

/** The installation's secrets. */
export function readSecretsEnv(source: Source): Pick<Env, "sessionSecret" | "otherSessionSecret" | "dataDir"> {
  const { given, mode, problems } = readGiven(source, ["SESSION_SECRET", "SESSION_SECRET_OTHER"]);
  const parsed = SecretsSettings.safeParse(given);
  if (!parsed.success) problems.push(...parsed.error.issues.map(({ message }) => message));
  problems.push(...findMissingOfSecrets(given, mode));
  if (!parsed.success || problems.length > 0) throw describeProblems("Encrypted data cannot be read", problems);
  return {
    sessionSecret: parsed.data.SESSION_SECRET,
    otherSessionSecret: parsed.data.SESSION_SECRET_OTHER,
    dataDir: parsed.data.DATA_DIR,
  };
}

/** The settings as far as they can be read, and what is wrong with them: what cannot be read counts as not set. */
export function readEnvAsFarAsItGoes(source: Source): { env: Env; given: Source; problems: string[] } {
  const { given, mode, problems } = readGiven(source, SECRETS);
  const parsed = Settings.safeParse(given);
  if (!parsed.success) problems.push(...parsed.error.issues.map(({ message }) => message));
  problems.push(...findMissing(given, mode));
  const unreadable = new Set(parsed.error?.issues.map(({ path }) => path[0]));
  const readable = Object.fromEntries(Object.entries(given).filter(([name]) => !unreadable.has(name)));
  return { env: toEnv(Settings.parse(readable), mode), given, problems };
}
