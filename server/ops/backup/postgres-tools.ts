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
 * Where a database is, as PostgreSQL's own programs read it: in their environment, since every user of the machine can
 * read arguments. `authorities` is a file of whom to believe where the address names none.
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
    // A word that PostgreSQL itself does not know.
    PGSSLMODE: query.get("sslmode")?.replace("no-verify", "require"),
    PGSSLROOTCERT: query.get("sslrootcert") ?? (isVerified ? authorities : undefined),
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
    throw new StartError(`${tool} is version ${version}, but the server is version ${serverVersion}. ${install}`);
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
  const folder = mkdtempSync(join(tmpdir(), "nodebeat-authorities-"));
  const authorities = join(folder, "authorities.pem");
  // Our own connections' (NODE_EXTRA_CA_CERTS among them): before version 16 the programs cannot find the system's.
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
  // Whoever runs it awaits it, but perhaps only after its output: until then it must not count as unhandled.
  ended.catch(() => {});
  return { child, ended };
}

const pathOf = ({ HOME, LANG, PATH }: Settings) => ({ HOME, LANG, PATH: PATH ?? process.env.PATH });
