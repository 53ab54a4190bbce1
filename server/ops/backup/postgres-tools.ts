import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { Client } from "pg";
import { StartError } from "../../start-error.ts";

type Tool = "pg_dump" | "pg_restore";
type Settings = Readonly<Record<string, string | undefined>>;

/**
 * Where a database is, as PostgreSQL's own programs read it: in their environment, since every user of the machine can
 * read arguments.
 */
export function describeConnection(databaseUrl: string, settings: Settings): Record<string, string> {
  const { host, port, user, password, database } = new Client({ connectionString: databaseUrl });
  const query = new URL(databaseUrl).searchParams;
  const rootCertificate = query.get("sslrootcert") ?? settings.NODE_EXTRA_CA_CERTS;
  const given = {
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGPASSWORD: password,
    PGDATABASE: database,
    // A word that PostgreSQL itself does not know.
    PGSSLMODE: query.get("sslmode")?.replace("no-verify", "require"),
    PGSSLROOTCERT: rootCertificate ?? (query.get("sslmode")?.startsWith("verify") ? "system" : undefined),
    PGSSLCERT: query.get("sslcert"),
    PGSSLKEY: query.get("sslkey"),
    PGAPPNAME: "nodebeat ops",
  };
  return Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

/** Sees to it that a program is installed, in a version that can speak to the server's. Throws StartError. */
export async function requireTool(tool: Tool, serverVersion: string, settings: Settings): Promise<void> {
  const major = Number.parseInt(serverVersion);
  const version = await readVersion(tool, settings);
  const install = `Install PostgreSQL's client programs of version ${major} or newer (on Debian, postgresql-client-${major}).`;
  if (version === undefined) throw new StartError(`${tool} is not installed here. ${install}`);
  if (version < major)
    throw new StartError(`${tool} is of version ${version}, and the server of version ${serverVersion}. ${install}`);
}

async function readVersion(tool: Tool, settings: Settings): Promise<number | undefined> {
  const child = spawn(tool, ["--version"], { env: { ...pathOf(settings) }, stdio: ["ignore", "pipe", "ignore"] });
  const failed = once(child, "error").then(() => "");
  const said = await Promise.race([text(child.stdout), failed]);
  const [, version] = /(\d+)(?:\.\d+)?(?:\s|$)/.exec(said) ?? [];
  return version === undefined ? undefined : Number(version);
}

type Running = { child: ChildProcessByStdio<Writable, Readable, Readable>; ended: Promise<void> };

/** Runs a program on a database. `ended` throws StartError with its own last words. */
export function runTool(tool: Tool, args: string[], databaseUrl: string, settings: Settings): Running {
  const child = spawn(tool, args, {
    env: { ...pathOf(settings), ...describeConnection(databaseUrl, settings) },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const said = text(child.stderr);
  const ended = (async () => {
    const [code] = await once(child, "close");
    if (code === 0) return;
    const words = (await said).trim().split("\n").slice(0, 5).join("\n");
    throw new StartError(`${tool} did not succeed: ${words || `it ended with ${String(code)}`}`);
  })();
  ended.catch(() => {});
  return { child, ended };
}

const pathOf = ({ HOME, LANG, PATH }: Settings) => ({ HOME, LANG, PATH: PATH ?? process.env.PATH });
