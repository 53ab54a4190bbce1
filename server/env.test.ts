import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readEnv, SECRETS, Settings } from "./env.ts";
import { readDatabaseEnv } from "./ops/ops-env.ts";

const folder = mkdtempSync(join(tmpdir(), "nodebeat-env-"));
afterAll(() => rmSync(folder, { recursive: true }));

const secret = "kq0Vx9mB3sYp7TzWf2LrHd8NcGa5JeUi";
const production = {
  NODE_ENV: "production",
  PUBLIC_URL: "https://nodebeat.example",
  SESSION_SECRET: secret,
  SMTP_URL: "smtps://mail.example",
  MAIL_FROM: "Nodebeat <hello@nodebeat.example>",
};

const WEBHOOK_SECRET = `whsec_${Buffer.from(secret).toString("base64")}`;

function problemsOf(source: Record<string, string>): string {
  try {
    readEnv(source);
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  throw new Error("These settings were accepted.");
}

test("without any settings it is a demo on this machine with the documented defaults", () => {
  expect(readEnv({})).toMatchObject({
    mode: "demo",
    port: 3000,
    host: "127.0.0.1",
    dataDir: "data",
    heartbeatIntervalSeconds: 15,
    pointsPerHeartbeat: 25,
    trustedProxies: [],
    logLevel: "info",
  });
});

test("production in front of another backend needs neither a secret nor a mail server", () => {
  const { PUBLIC_URL } = production;
  expect(readEnv({ PUBLIC_URL, API_URL: "https://api.example" })).toMatchObject({ mode: "production", role: "both" });
});

test("trims spaces and line breaks around settings that are sent in a header", () => {
  expect(readEnv({ METRICS_TOKEN: "a-token-of-the-metrics\n", AUTH_API_KEY: " key " })).toMatchObject({
    metricsToken: "a-token-of-the-metrics",
    authApiKey: "key",
  });
});

test("a PUBLIC_URL or NODE_ENV=production selects production mode", () => {
  expect(readEnv(production)).toMatchObject({ mode: "production", host: "0.0.0.0", heartbeatIntervalSeconds: 900 });
  expect(readEnv({ ...production, NODE_ENV: "" }).mode).toBe("production");
  expect(readEnv({ ...production, PUBLIC_URL: "https://nodebeat.example/" }).publicUrl).toBe(
    "https://nodebeat.example",
  );
});

test("production names every missing setting at once", () => {
  const message = problemsOf({ NODE_ENV: "production", AUTH_API_URL: "https://auth.example", SMTP_URL: "smtp://mail" });
  for (const name of ["PUBLIC_URL", "SESSION_SECRET", "AUTH_API_KEY", "MAIL_FROM"]) {
    expect(message).toContain(`\n  - ${name} is required`);
  }
});

test("production requires mail settings, unless a remote auth backend sends the mail", () => {
  const { SMTP_URL: _url, MAIL_FROM: _from, ...silent } = production;
  const message = problemsOf(silent);
  for (const name of ["SMTP_URL", "MAIL_FROM"]) expect(message).toContain(`\n  - ${name} is required`);
  const remote = { ...silent, AUTH_API_URL: "https://auth.example", AUTH_API_KEY: "key" };
  expect(readEnv(remote)).toMatchObject({ mode: "production", authApiUrl: "https://auth.example" });
});

test.each(["hello", "Nodebeat <hello>", "a@b.example\r\nBcc: c@d.example", "Nodebeat hello@nodebeat.example"])(
  "rejects %j as MAIL_FROM",
  (sender) => {
    expect(problemsOf({ ...production, MAIL_FROM: sender })).toContain("MAIL_FROM must look like");
  },
);

test.each([
  ["short", "a"],
  ["of one repeated character", "x".repeat(64)],
  ["a placeholder", "change-me-change-me-change-me-1234567"],
])("rejects a session secret that is %s, without repeating it", (_, weak) => {
  const message = problemsOf({ ...production, SESSION_SECRET: weak });
  expect(message).toContain("SESSION_SECRET is weak");
  expect(message).not.toContain(`${weak}\n`);
});

test("production requires an https PUBLIC_URL, except on this machine", () => {
  expect(problemsOf({ ...production, PUBLIC_URL: "http://nodebeat.example" })).toContain("PUBLIC_URL must be https");
  expect(readEnv({ ...production, PUBLIC_URL: "http://127.0.0.1:3000" }).publicUrl).toBe("http://127.0.0.1:3000");
});

test.each([
  [{ DATABASE_URL: "postgres://user:word@db.example/nodebeat" }, "DATABASE_URL leaves the network without encryption"],
  [
    { DATABASE_URL: "postgres://db/nodebeat", DATABASE_READ_URL: "postgres://user:word@replica.example/nodebeat" },
    "DATABASE_READ_URL leaves the network without encryption",
  ],
  [{ DATABASE_URL: "postgres://db.example/nodebeat?sslmode=" }, "DATABASE_URL leaves the network without encryption"],
  [{ DATABASE_URL: "postgres:///nodebeat?host=db.example" }, "DATABASE_URL leaves the network without encryption"],
  [{ API_URL: "http://api.example" }, "API_URL must be https"],
  [{ AUTH_API_URL: "http://203.0.113.7", AUTH_API_KEY: "key" }, "AUTH_API_URL must be https"],
  [{ SUPABASE_URL: "http://project.example", SUPABASE_ANON_KEY: "key" }, "SUPABASE_URL must be https"],
  [{ CHAIN_RPC_URLS: "https://rpc.example,http://rpc.example" }, "CHAIN_RPC_URLS must be https"],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.example" }, "OTEL_EXPORTER_OTLP_ENDPOINT must be https"],
  [{ NODE_TLS_REJECT_UNAUTHORIZED: "0" }, "NODE_TLS_REJECT_UNAUTHORIZED=0"],
])("production rejects %o, because others could read the traffic", (source, sentence) => {
  expect(problemsOf({ ...production, ...(source as Record<string, string>) })).toContain(sentence);
});

test.each<Record<string, string>>([
  { DATABASE_URL: "postgres://user:word@db.example/nodebeat?sslmode=verify-full" },
  { DATABASE_URL: "postgres://user:word@db.example/nodebeat?sslmode=disable" },
  { DATABASE_URL: "postgres://user@db/nodebeat" },
  { DATABASE_URL: "postgres:///nodebeat?host=/run/postgresql.d" },
  { DATABASE_URL: "postgres://user@10.1.2.3/nodebeat" },
  { DATABASE_URL: "postgres://user@[fd00::1]/nodebeat" },
  { API_URL: "http://api:4000" },
  { API_URL: "http://api.svc.internal" },
  { AUTH_API_URL: "http://127.0.0.1:4000", AUTH_API_KEY: "key" },
])("production accepts %o, which stays in a private network or sets sslmode explicitly", (source) => {
  expect(readEnv({ ...production, ...source }).mode).toBe("production");
});

test.each([
  [{ PORT: "http" }, "PORT must be a whole number."],
  [{ PORT: "70000" }, "PORT must be at most 65535."],
  ...["0x10", "1e3", "+80", "80.0", " 80 "].map((PORT): [object, string] => [{ PORT }, "PORT must be a whole number."]),
  [{ DATABASE_POOL_SIZE: "0x10" }, "DATABASE_POOL_SIZE must be a whole number."],
  [{ PUBLIC_URL: "https://ada:secret@nodebeat.example" }, "PUBLIC_URL must have neither a user nor a password"],
  [{ PUBLIC_URL: "https://nodebeat.example#top" }, "PUBLIC_URL must have neither a query nor a fragment"],
  [{ API_URL: "https://api.example?key=1" }, "API_URL must have neither a query nor a fragment"],
  [{ API_URL: "https://api.example/#top" }, "API_URL must have neither a query nor a fragment"],
  [{ API_URL: "https://ada:secret@api.example" }, "API_URL must have neither a user nor a password"],
  [{ SMTP_URL: "smtp:" }, "SMTP_URL must be an address like smtps://"],
  [{ SMTP_URL: "smtp://mail.example?requireTLS=" }, "SMTP_URL can say requireTLS=true or requireTLS=false, but"],
  [{ SMTP_URL: "smtp://mail.example?requireTLS=0" }, "SMTP_URL can say requireTLS=true or requireTLS=false, but"],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector?a" }, "OTEL_EXPORTER_OTLP_ENDPOINT must have neither a query"],
  [{ METRICS_TOKEN: "a-töken-of-the-metrics" }, "METRICS_TOKEN must have only ASCII characters"],
  [{ AUTH_API_KEY: "schlüssel" }, "AUTH_API_KEY must have only ASCII characters"],
  [{ AUTH_API_KEY_OTHER: "key" }, "AUTH_API_KEY_OTHER needs AUTH_API_KEY"],
  [{ AUTH_API_KEY: "key", AUTH_API_KEY_OTHER: "key" }, "AUTH_API_KEY_OTHER is the same as AUTH_API_KEY"],
  [{ SUPABASE_ANON_KEY: "schlüssel" }, "SUPABASE_ANON_KEY must have only ASCII characters"],
  [{ DATABASE_URL: "mysql://db" }, "DATABASE_URL must be an address like postgres://"],
  [{ DATABASE_POOL_SIZE: "0" }, "DATABASE_POOL_SIZE must be at least 1."],
  [{ DATABASE_READ_URL: "mysql://db" }, "DATABASE_READ_URL must be an address like postgres://"],
  [{ DATABASE_READ_URL: "postgres://replica/nodebeat" }, "DATABASE_READ_URL needs DATABASE_URL"],
  [
    { DATABASE_READ_URL: "postgres://replica/nodebeat", API_URL: "https://api.example" },
    "DATABASE_READ_URL cannot be used with API_URL",
  ],
  [
    { DATABASE_READ_URL: "postgres://db/nodebeat", DATABASE_URL: "postgres://db/nodebeat" },
    "DATABASE_READ_URL is the same as DATABASE_URL",
  ],
  [{ LOG_LEVEL: "loud" }, "LOG_LEVEL must be one of"],
  [{ GTM_ID: "UA-1" }, "GTM_ID must look like"],
  [{ NODE_ENV: "Production" }, "NODE_ENV must be production, or left out for a demo, not Production."],
  [{ NODE_ENV: "prod" }, "NODE_ENV must be production"],
  [{ PUBLIC_URL: "https://nodebeat.example/app" }, "PUBLIC_URL must not have a path"],
  [{ TRUSTED_PROXIES: "10.0.0.0/8, 10.0.0.0/99" }, "not 10.0.0.0/99."],
  [{ TRUSTED_PROXIES: "10.0.0.0/8/24" }, "not 10.0.0.0/8/24."],
  [{ TRUSTED_PROXIES: "proxy.local" }, "not proxy.local."],
  [{ TURNSTILE_SITE_KEY: "site" }, "TURNSTILE_SECRET_KEY missing."],
  [{ CHAIN_ADMIN_KEY: "0x1" }, "CHAIN_RPC_URLS, CHAIN_FACTORY_ADDRESS, CHAIN_MANAGER_KEY missing."],
  [{ CHAIN_ADMIN_KEY: "0x1" }, "CHAIN_ADMIN_KEY must be a private key"],
  [{ CHAIN_MANAGER_KEY: "0".repeat(64) }, "CHAIN_MANAGER_KEY must be a private key"],
  [{ CHAIN_RPC_URLS: "https://rpc.example, rpc.example" }, "CHAIN_RPC_URLS must list addresses like"],
  [{ NODE_PASS_ADDRESS: "0x12" }, "NODE_PASS_ADDRESS must be an address"],
  [{ NODE_PASS_ADDRESS: `0x${"1".repeat(40)}` }, "NODE_PASS_ADDRESS needs CHAIN_RPC_URLS"],
  [{ NODE_PASS_SIGNER_KEY: "12" }, "NODE_PASS_SIGNER_KEY must be a private key"],
  [{ NODE_PASS_SIGNER_KEY: "12" }, "NODE_PASS_SIGNER_KEY needs NODE_PASS_ADDRESS."],
  [{ CAMPAIGN_WEBHOOK_SECRET: "whsec_c2hvcnQ=" }, "CAMPAIGN_WEBHOOK_SECRET must be whsec_"],
  [{ CAMPAIGN_WEBHOOK_SECRET: "a secret of thirty-two characters" }, "CAMPAIGN_WEBHOOK_SECRET must be whsec_"],
  [{ CAMPAIGN_WEBHOOK_SECRET: Array(3).fill(WEBHOOK_SECRET).join() }, "or two of these"],
  [{ CHAIN_FACTORY_ADDRESS: "0x12" }, "CHAIN_FACTORY_ADDRESS must be an address"],
  [{ NODEBEAT_ROLE: "api" }, "NODEBEAT_ROLE must be one of both, web, worker."],
  [{ NODEBEAT_ROLE: "web" }, "NODEBEAT_ROLE=web needs DATABASE_URL"],
  [{ NODEBEAT_ROLE: "worker" }, "NODEBEAT_ROLE=worker needs DATABASE_URL"],
  [{ NODEBEAT_ROLE: "worker", API_URL: "https://api.example" }, "NODEBEAT_ROLE=worker cannot be used with API_URL"],
  [{ CHAIN_DOMAIN_VERSION: "3" }, "CHAIN_DOMAIN_VERSION must be 1 or 2."],
])("rejects %o in any mode", (source, sentence) => {
  expect(problemsOf(source as Record<string, string>)).toContain(sentence);
});

test.each([
  [{ PORT: '"3000"' }, "PORT is in quotation marks"],
  [{ DATA_DIR: "'/data'" }, "DATA_DIR is in quotation marks"],
  [{ TURNSTILE_SITE_KEY: "site", TURNSTILE_SECRET_KEY: '"secret"' }, "TURNSTILE_SECRET_KEY is in quotation marks"],
])("rejects %o, because Docker keeps the quotation marks of an env file", (source, sentence) => {
  expect(problemsOf(source as Record<string, string>)).toContain(sentence);
});

test("accepts quotation marks around part of a value, and around a whole session secret", () => {
  const source = { MAIL_FROM: '"Nodebeat" <hello@nodebeat.example>', SESSION_SECRET: `"${secret}"` };
  expect(readEnv(source)).toMatchObject({ mailFrom: source.MAIL_FROM, sessionSecret: source.SESSION_SECRET });
});

test("does not require the settings that only the backend at API_URL needs", () => {
  const remote = { API_URL: "https://api.example" };
  const factory = `0x${"1".repeat(40)}`;
  expect(readEnv({ ...remote, TURNSTILE_SITE_KEY: "site", CHAIN_FACTORY_ADDRESS: factory })).toMatchObject({
    turnstileSiteKey: "site",
    chainFactoryAddress: factory,
    chainDomainVersion: "1",
  });
  expect(problemsOf({ ...remote, TURNSTILE_SECRET_KEY: "secret" })).toContain("TURNSTILE_SITE_KEY missing.");
  expect(problemsOf({ ...remote, CHAIN_FACTORY_ADDRESS: factory, CHAIN_ADMIN_KEY: "1".repeat(64) })).toContain(
    "CHAIN_RPC_URLS, CHAIN_MANAGER_KEY missing.",
  );
  expect(problemsOf({ CHAIN_FACTORY_ADDRESS: factory })).toContain("CHAIN_RPC_URLS, CHAIN_ADMIN_KEY");
});

test("a command requires only valid database settings", () => {
  const databaseUrl = "postgres://user:word@db.example/nodebeat?sslmode=verify-full";
  const path = join(folder, "database-url");
  writeFileSync(path, databaseUrl);
  const incomplete = { NODE_ENV: "production", SMTP_URL: "no address", SESSION_SECRET_FILE: join(folder, "none") };
  expect(readDatabaseEnv({ ...incomplete, DATA_DIR: "/data" })).toMatchObject({
    databaseUrl: undefined,
    dataDir: "/data",
  });
  expect(readDatabaseEnv({ ...incomplete, DATABASE_URL_FILE: path })).toMatchObject({ databaseUrl, dataDir: "data" });

  const open = { ...incomplete, DATABASE_URL: "postgres://user:word@db.example/nodebeat" };
  expect(() => readDatabaseEnv(open)).toThrow(/^The database cannot be reached.*\n {2}- DATABASE_URL leaves[^\n]+$/);
  expect(() => readDatabaseEnv({ DATABASE_URL: "mysql://db" })).toThrow("DATABASE_URL must be an address like");
});

test("lists are split and trimmed", () => {
  expect(readEnv({ CAMPAIGN_WEBHOOK_SECRET: `${WEBHOOK_SECRET}, ${WEBHOOK_SECRET}` }).campaignWebhookSecrets).toEqual([
    WEBHOOK_SECRET,
    WEBHOOK_SECRET,
  ]);
  expect(readEnv({ TRUSTED_PROXIES: " 10.0.0.0/8, ::1 ," }).trustedProxies).toEqual(["10.0.0.0/8", "::1"]);
});

test("reads a secret from a file, and rejects one that is set twice or cannot be read", () => {
  const path = join(folder, "secret");
  writeFileSync(path, `${secret}\n`);
  const { SESSION_SECRET: _, ...rest } = production;
  expect(readEnv({ ...rest, SESSION_SECRET_FILE: path }).sessionSecret).toBe(secret);
  expect(problemsOf({ ...production, SESSION_SECRET_FILE: path })).toContain(
    "SESSION_SECRET and SESSION_SECRET_FILE are both set",
  );
  expect(problemsOf({ ...rest, SESSION_SECRET_FILE: join(folder, "none") })).toContain(
    "SESSION_SECRET_FILE cannot be read (ENOENT)",
  );
  expect(problemsOf({ ...rest, SESSION_SECRET_FILE: secret })).not.toContain(secret);
});

test(".env.example documents exactly the settings, and names every one that has a _FILE form", () => {
  const example = readFileSync(new URL("../.env.example", import.meta.url), "utf8");
  const documented = [...example.matchAll(/^#?\s?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name);
  expect(documented).toEqual(Object.keys(Settings.shape));
  const withFile = [...example.matchAll(/^# .*\(or ([A-Z_]+)_FILE\)/gm)].map(([, name]) => name);
  expect(withFile).toEqual([...SECRETS]);
});

test("an unchanged copy of .env.example starts a demo", () => {
  const example = readFileSync(new URL("../.env.example", import.meta.url), "utf8");
  const lines = example.split("\n").filter((line) => /^[A-Z]/.test(line));
  const source = Object.fromEntries(lines.map((line) => line.split("=", 2)));
  expect(readEnv(source)).toEqual(readEnv({}));
});
