import { describeProblems, readGiven, Settings, toEnv, type Env, type Source } from "../env.ts";
import { findMissing, findMissingOfDatabase, findMissingOfSecrets } from "../env-rules.ts";

/*
 * The settings that an operator's command needs: only those that it uses, by the same rules as for a start. All but the
 * last throw StartError as readEnv does.
 */

const DatabaseSettings = Settings.pick({ DATABASE_URL: true, DATA_DIR: true, WEBHOOK_PRIVATE_ADDRESSES: true });

/** Reads where the database is, and whether webhooks may call private addresses. */
export function readDatabaseEnv(source: Source): Pick<Env, "databaseUrl" | "dataDir" | "webhooksToPrivate"> {
  const { data, problems } = readGiven(source, DatabaseSettings, findMissingOfDatabase);
  if (!data || problems.length > 0) throw describeProblems("The database cannot be reached", problems);
  return {
    databaseUrl: data.DATABASE_URL,
    dataDir: data.DATA_DIR,
    webhooksToPrivate: data.WEBHOOK_PRIVATE_ADDRESSES === "allow",
  };
}

const SecretsSettings = Settings.pick({ SESSION_SECRET: true, SESSION_SECRET_OTHER: true, DATA_DIR: true });

/** Reads the installation's secrets. */
export function readSecretsEnv(source: Source): Pick<Env, "sessionSecret" | "otherSessionSecret" | "dataDir"> {
  const { data, problems } = readGiven(source, SecretsSettings, findMissingOfSecrets);
  if (!data || problems.length > 0) throw describeProblems("Encrypted data cannot be read", problems);
  return {
    sessionSecret: data.SESSION_SECRET,
    otherSessionSecret: data.SESSION_SECRET_OTHER,
    dataDir: data.DATA_DIR,
  };
}

/** Reads the settings as far as possible, and lists their problems. A setting that cannot be read counts as not set. */
export function readEnvLeniently(source: Source): { env: Env; given: Source; problems: string[] } {
  const { error, given, mode, problems } = readGiven(source, Settings, findMissing);
  const unreadable = new Set(error?.issues.map(({ path }) => path[0]));
  const readable = Object.fromEntries(Object.entries(given).filter(([name]) => !unreadable.has(name)));
  return { env: toEnv(Settings.parse(readable), mode), given, problems };
}
