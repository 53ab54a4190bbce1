import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { getCACertificates } from "node:tls";
import { Client } from "pg";
import { StartError } from "../../start-error.ts";

type Tool = "pg_dump" | "pg_restore";
type Settings = Readonly<Record<string, string | undefined>>;

/**
 * Returns the environment variables with which PostgreSQL's own programs connect to a database. Arguments would not do,
 * because every user of the machine can read them. `authorities` is a file of the certificate authorities to trust if
 * the URL names none.
 */
export function describeConnection(databaseUrl: string, authorities: string): Record<string, string> {
  const { host, port, user, password, database } = new Client({ connectionString: databaseUrl });
  const query = new URL(databaseUrl).searchParams;
  const isVerified = /^(require|verify-ca|verify-full)$/.test(query.get("sslmode") ?? "");
  const given = {
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGPASSWORD: password,
    PGDATABASE: database,
    // PostgreSQL itself does not know this value.
    PGSSLMODE: query.get("sslmode")?.replace("no-verify", "require"),
    PGSSLROOTCERT: query.get("sslrootcert") ?? (isVerified ? authorities : undefined),
    PGSSLCERT: query.get("sslcert"),
    PGSSLKEY: query.get("sslkey"),
    PGAPPNAME: "nodebeat ops",
  };
  return Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

/**
 * The programs set `transaction_timeout` from this version on, when they restore. Older servers do not know it and
 * refuse, and older programs cannot read what newer ones write.
 */
const SETS_TRANSACTION_TIMEOUT = 17;

/** The version of the server that a backup is of, and of the one that it is to be restored to. */
type Versions = { source: string; target: string };

/**
 * Checks that a program is installed, in a version that can talk to the source and restore to the target. Throws
 * StartError otherwise.
 */
export async function requireTool(tool: Tool, { source, target }: Versions, settings: Settings): Promise<void> {
  const major = Number.parseInt(source);
  const isOld = Number.parseInt(target) < SETS_TRANSACTION_TIMEOUT;
  if (isOld && major >= SETS_TRANSACTION_TIMEOUT)
    throw new StartError(
      `This backup is of a server of version ${source}: restore it to one of version ${SETS_TRANSACTION_TIMEOUT} or newer.`,
    );
  const version = await readVersion(tool, settings);
  const fitting = isOld ? `${major}` : `${major} or newer`;
  const install = `Install PostgreSQL's client programs of version ${fitting} (on Debian, postgresql-client-${major}).`;
  if (version === undefined) throw new StartError(`${tool} is not installed here. ${install}`);
  if (version < major)
    throw new StartError(`${tool} is version ${version}, but the server is version ${source}. ${install}`);
  if (isOld && version >= SETS_TRANSACTION_TIMEOUT)
    throw new StartError(
      `${tool} is version ${version}, and a server of version ${target} refuses what it restores. ${install}`,
    );
}

async function readVersion(tool: Tool, settings: Settings): Promise<number | undefined> {
  const child = spawn(tool, ["--version"], { env: { ...pathOf(settings) }, stdio: ["ignore", "pipe", "ignore"] });
  const failed = once(child, "error").then(() => "");
  const said = await Promise.race([text(child.stdout), failed]);
  const [, version] = / (\d+)/.exec(said) ?? [];
  return version === undefined ? undefined : Number(version);
}

type Running = { child: ChildProcessByStdio<Writable, Readable, Readable>; ended: Promise<void> };

/** Runs a program on a database. `ended` rejects with StartError and the first lines of what the program said. */
export function runTool(tool: Tool, args: string[], databaseUrl: string, settings: Settings): Running {
  const folder = mkdtempSync(join(tmpdir(), "nodebeat-authorities-"));
  const authorities = join(folder, "authorities.pem");
  // Those that our own connections trust, NODE_EXTRA_CA_CERTS included. Before version 16 the programs cannot find the
  // system's certificates.
  writeFileSync(authorities, getCACertificates("default").join("\n"), { mode: 0o600 });
  const child = spawn(tool, args, {
    env: { ...pathOf(settings), ...describeConnection(databaseUrl, authorities) },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const said = text(child.stderr);
  const ended = (async () => {
    const [code, signal] = await once(child, "close").finally(() => rmSync(folder, { recursive: true }));
    if (code === 0) return;
    const words = (await said).trim().split("\n").slice(0, 5).join("\n");
    throw new StartError(`${tool} failed: ${words || `it ended with ${String(code ?? signal)}`}`);
  })();
  // The caller awaits it, but perhaps after reading the output. Until then a rejection must not count as unhandled.
  ended.catch(() => {});
  return { child, ended };
}

const pathOf = ({ HOME, LANG, PATH }: Settings) => ({ HOME, LANG, PATH: PATH ?? process.env.PATH });
