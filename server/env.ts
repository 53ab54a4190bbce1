import { existsSync, readFileSync } from "node:fs";
import * as z from "zod";
import { findMissing } from "./env-rules.ts";
import { StartError } from "./start-error.ts";

const integer = (name: string, min: number, max: number) =>
  z
    .string()
    .regex(/^-?\d+$/, `${name} must be a whole number.`)
    .transform(Number)
    .pipe(z.number().min(min, `${name} must be at least ${min}.`).max(max, `${name} must be at most ${max}.`));

const url = (name: string, protocol: RegExp, example: string) =>
  z.url({ protocol, error: `${name} must be an address like ${example}.`, abort: true });

/** A base address, to which paths are added. */
const base = (name: string, example: string) =>
  url(name, /^https?$/, example).refine(
    (address) => !/[?#]/.test(address),
    `${name} must have neither a query nor a fragment: paths are added to it.`,
  );

/** A base address for `fetch`, which rejects addresses with a user or password. */
const web = (name: string, example: string) =>
  base(name, example).refine(
    (address) => !URL.parse(address)?.username && !URL.parse(address)?.password,
    `${name} must have neither a user nor a password in it.`,
  );

/** A value that is sent in a header. Headers lose the spaces around it. */
const headerValue = (name: string) =>
  z
    .string()
    .trim()
    .regex(/^[\x20-\x7e]*$/, `${name} must have only ASCII characters: it is sent in a header.`);

const postgres = /^postgres(ql)?$/;

const list = z.string().transform((value) => value.split(",").flatMap((item) => item.trim() || []));

/** Every setting of the server, by its name in the environment. `.env.example` documents each. */
export const Settings = z.object({
  PORT: integer("PORT", 0, 65_535).default(3000),
  HOST: z.string().optional(),
  PUBLIC_URL: web("PUBLIC_URL", "https://nodebeat.example").optional(),
  DATA_DIR: z.string().default("data"),
  DEMO_PASSWORD: z.string().min(8, "DEMO_PASSWORD must have at least 8 characters.").optional(),
  SESSION_SECRET: z.string().optional(),
  SESSION_SECRET_OTHER: z.string().optional(),
  DATABASE_URL: url("DATABASE_URL", postgres, "postgres://user:password@host/nodebeat").optional(),
  DATABASE_READ_URL: url("DATABASE_READ_URL", postgres, "postgres://user:password@replica/nodebeat").optional(),
  DATABASE_POOL_SIZE: integer("DATABASE_POOL_SIZE", 1, 500).default(4),
  API_URL: web("API_URL", "https://api.nodebeat.example").optional(),
  AUTH_API_URL: web("AUTH_API_URL", "https://auth.nodebeat.example").optional(),
  AUTH_API_KEY: headerValue("AUTH_API_KEY").optional(),
  AUTH_API_KEY_OTHER: headerValue("AUTH_API_KEY_OTHER").optional(),
  SMTP_URL: url("SMTP_URL", /^smtps?$/, "smtps://user:password@mail.example")
    .refine(
      (address) => URL.parse(address)?.host,
      "SMTP_URL must be an address like smtps://user:password@mail.example.",
    )
    .refine(
      (address) =>
        (URL.parse(address)?.searchParams.getAll("requireTLS") ?? []).every((value) => /^(true|false)$/.test(value)),
      "SMTP_URL can say requireTLS=true or requireTLS=false, but nothing else about it.",
    )
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^<>\r\n]*<[^\s<>@]+@[\w.-]+>|[^\s<>@]+@[\w.-]+)$/,
      "MAIL_FROM must look like Nodebeat <hello@nodebeat.example>.",
    )
    .optional(),
  TURNSTILE_SITE_KEY: z.string().optional(),
  TURNSTILE_SECRET_KEY: z.string().optional(),
  SUPABASE_URL: web("SUPABASE_URL", "https://project.supabase.co").optional(),
  SUPABASE_ANON_KEY: headerValue("SUPABASE_ANON_KEY").optional(),
  CHAIN_RPC_URLS: list.optional(),
  CHAIN_FACTORY_ADDRESS: z.string().optional(),
  CHAIN_ADMIN_KEY: z.string().optional(),
  CHAIN_MANAGER_KEY: z.string().optional(),
  CHAIN_DOMAIN_VERSION: z.enum(["1", "2"], { error: "CHAIN_DOMAIN_VERSION must be 1 or 2." }).default("1"),
  NODE_PASS_ADDRESS: z.string().optional(),
  NODE_PASS_SIGNER_KEY: z.string().optional(),
  GTM_ID: z
    .string()
    .regex(/^GTM-[A-Z0-9]+$/, "GTM_ID must look like GTM-ABC1234.")
    .optional(),
  TRUSTED_PROXIES: list.default([]),
  METRICS_TOKEN: headerValue("METRICS_TOKEN").optional(),
  CAMPAIGN_WEBHOOK_SECRET: list.optional(),
  WEBHOOK_PRIVATE_ADDRESSES: z
    .enum(["refuse", "allow"], { error: "WEBHOOK_PRIVATE_ADDRESSES must be refuse or allow." })
    .default("refuse"),
  OTEL_EXPORTER_OTLP_ENDPOINT: base("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318").optional(),
  NODEBEAT_ROLE: z
    .enum(["both", "web", "worker"], { error: "NODEBEAT_ROLE must be one of both, web, worker." })
    .default("both"),
  SHUTDOWN_GRACE_SECONDS: integer("SHUTDOWN_GRACE_SECONDS", 0, 300).optional(),
  HEARTBEAT_INTERVAL_SECONDS: integer("HEARTBEAT_INTERVAL_SECONDS", 1, 86_400).optional(),
  POINTS_PER_HEARTBEAT: integer("POINTS_PER_HEARTBEAT", 1, 1_000_000).default(25),
  CONTENT_POINTS_PER_DAY: integer("CONTENT_POINTS_PER_DAY", 1, 1_000_000).default(5000),
  ADJUSTMENT_APPROVAL_ABOVE: integer("ADJUSTMENT_APPROVAL_ABOVE", 0, 1_000_000).default(10_000),
  HEARTBEAT_RETENTION_MONTHS: integer("HEARTBEAT_RETENTION_MONTHS", 1, 1200).default(13),
  LEDGER_RETENTION_MONTHS: integer("LEDGER_RETENTION_MONTHS", 1, 1200).optional(),
  JOB_RETENTION_DAYS: integer("JOB_RETENTION_DAYS", 8, 36_500).default(400),
  SECURITY_RETENTION_DAYS: integer("SECURITY_RETENTION_DAYS", 365, 36_500).default(365),
  REFUSED_BEAT_RETENTION_DAYS: integer("REFUSED_BEAT_RETENTION_DAYS", 1, 3650).default(30),
  DEAD_JOB_RETENTION_DAYS: integer("DEAD_JOB_RETENTION_DAYS", 1, 3650).default(7),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], {
      error: "LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent.",
    })
    .default("info"),
});
export type Settings = z.output<typeof Settings>;

/** Settings that may also be given as `<NAME>_FILE`: the path of a file that holds the value. */
export const SECRETS = [
  "DEMO_PASSWORD",
  "SESSION_SECRET",
  "SESSION_SECRET_OTHER",
  "DATABASE_URL",
  "DATABASE_READ_URL",
  "AUTH_API_KEY",
  "AUTH_API_KEY_OTHER",
  "SMTP_URL",
  "TURNSTILE_SECRET_KEY",
  "SUPABASE_ANON_KEY",
  "CHAIN_RPC_URLS",
  "CHAIN_ADMIN_KEY",
  "CHAIN_MANAGER_KEY",
  "NODE_PASS_SIGNER_KEY",
  "METRICS_TOKEN",
  "CAMPAIGN_WEBHOOK_SECRET",
] as const satisfies (keyof Settings)[];

export type Env = ReturnType<typeof toEnv>;
export type Source = Record<string, string | undefined>;

/**
 * Loads `.env` from the current folder. Variables that are already set win. Throws a StartError if the file cannot be
 * read.
 */
export function loadEnvFile(): void {
  if (!existsSync(".env")) return;
  try {
    process.loadEnvFile();
  } catch (cause) {
    throw new StartError(".env cannot be read: it must be a file that this user can read.", { cause });
  }
}

/**
 * Reads and checks the settings. Production mode is NODE_ENV=production or a PUBLIC_URL; anything else is a demo.
 * Throws one StartError that lists every problem, never a secret's value.
 */
export function readEnv(source: Source): Env {
  const { data, mode, problems } = readGiven(source, Settings, findMissing);
  if (!data || problems.length > 0) throw describeProblems("Nodebeat cannot start", problems);
  return toEnv(data, mode);
}

/**
 * Reads and checks the settings of a schema, including secrets given as files. Returns what was given, the mode, the
 * parsed settings and all problems.
 */
export function readGiven<S extends z.ZodObject>(source: Source, schema: S, find: typeof findMissing) {
  const problems: string[] = [];
  const secrets = SECRETS.filter((name) => name in schema.shape);
  const given = readSecretFiles(withoutEmpty(source), secrets, problems);
  const mode = modeOf(given);
  const { data, error } = schema.safeParse(given);
  problems.push(...(error?.issues ?? []).map(({ message }) => message), ...find(given, mode));
  problems.push(...findQuoted(given, Object.keys(schema.shape)));
  return { data, error, given, mode, problems };
}

const modeOf = (given: Source): "demo" | "production" =>
  given.NODE_ENV === "production" || given.PUBLIC_URL ? "production" : "demo";

export function describeProblems(what: string, problems: string[]) {
  return new StartError([`${what} with these settings:`, ...problems].join("\n  - "));
}

/** `NAME=` in an env file means "not set". */
function withoutEmpty(source: Source): Source {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim()));
}

/** Settings whose values the operator makes up, so quotation marks may be part of them. */
export const OPERATOR_CHOSEN = [
  "DEMO_PASSWORD",
  "SESSION_SECRET",
  "SESSION_SECRET_OTHER",
  "AUTH_API_KEY",
  "AUTH_API_KEY_OTHER",
  "METRICS_TOKEN",
] satisfies (keyof Settings)[];

export const isQuoted = (value = ""): boolean => /^(["']).*\1$/s.test(value.trim());

const findQuoted = (given: Source, names: string[]): string[] =>
  names
    .filter((name) => isQuoted(given[name]) && !OPERATOR_CHOSEN.some((other) => other === name))
    .map((name) => `${name} is in quotation marks, which \`docker run --env-file\` keeps: leave them out.`);

function readSecretFiles(source: Source, names: readonly string[], problems: string[]): Source {
  const given = { ...source };
  for (const name of names) {
    const path = source[`${name}_FILE`];
    if (!path) continue;
    if (source[name]) problems.push(`${name} and ${name}_FILE are both set: keep one.`);
    try {
      given[name] = readFileSync(path, "utf8").trim();
      if (!given[name]) problems.push(`${name}_FILE names an empty file: ${path}`);
    } catch (error) {
      // Without the path: it may be the secret itself, put there by mistake.
      const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
      problems.push(`${name}_FILE cannot be read (${code}): it must be the path of a file that this user can read.`);
    }
  }
  return given;
}

export function toEnv(settings: Settings, mode: "demo" | "production") {
  return {
    mode,
    port: settings.PORT,
    // A demo only serves this machine. In production a proxy connects.
    host: settings.HOST ?? (mode === "demo" ? "127.0.0.1" : "0.0.0.0"),
    publicUrl: settings.PUBLIC_URL && new URL(settings.PUBLIC_URL).origin,
    dataDir: settings.DATA_DIR,
    demoPassword: settings.DEMO_PASSWORD,
    sessionSecret: settings.SESSION_SECRET,
    otherSessionSecret: settings.SESSION_SECRET_OTHER,
    databaseUrl: settings.DATABASE_URL,
    databaseReadUrl: settings.DATABASE_READ_URL,
    databasePoolSize: settings.DATABASE_POOL_SIZE,
    apiUrl: settings.API_URL,
    authApiUrl: settings.AUTH_API_URL,
    authApiKey: settings.AUTH_API_KEY,
    otherAuthApiKey: settings.AUTH_API_KEY_OTHER,
    smtpUrl: settings.SMTP_URL,
    mailFrom: settings.MAIL_FROM,
    turnstileSiteKey: settings.TURNSTILE_SITE_KEY,
    turnstileSecretKey: settings.TURNSTILE_SECRET_KEY,
    supabaseUrl: settings.SUPABASE_URL,
    supabaseAnonKey: settings.SUPABASE_ANON_KEY,
    chainRpcUrls: settings.CHAIN_RPC_URLS,
    chainFactoryAddress: settings.CHAIN_FACTORY_ADDRESS,
    chainAdminKey: settings.CHAIN_ADMIN_KEY,
    chainManagerKey: settings.CHAIN_MANAGER_KEY,
    chainDomainVersion: settings.CHAIN_DOMAIN_VERSION,
    nodePassAddress: settings.NODE_PASS_ADDRESS,
    nodePassSignerKey: settings.NODE_PASS_SIGNER_KEY,
    gtmId: settings.GTM_ID,
    campaignWebhookSecrets: settings.CAMPAIGN_WEBHOOK_SECRET,
    webhooksToPrivate: settings.WEBHOOK_PRIVATE_ADDRESSES === "allow",
    trustedProxies: settings.TRUSTED_PROXIES,
    role: settings.NODEBEAT_ROLE,
    // A demo has no load balancer that needs time to notice.
    shutdownGraceSeconds: settings.SHUTDOWN_GRACE_SECONDS ?? (mode === "demo" ? 0 : 10),
    // A demo must show points within seconds. The real window is 15 minutes.
    heartbeatIntervalSeconds: settings.HEARTBEAT_INTERVAL_SECONDS ?? (mode === "demo" ? 15 : 900),
    pointsPerHeartbeat: settings.POINTS_PER_HEARTBEAT,
    contentPointsPerDay: settings.CONTENT_POINTS_PER_DAY,
    adjustmentApprovalAbove: settings.ADJUSTMENT_APPROVAL_ABOVE,
    heartbeatRetentionMonths: settings.HEARTBEAT_RETENTION_MONTHS,
    ledgerRetentionMonths: settings.LEDGER_RETENTION_MONTHS,
    jobRetentionDays: settings.JOB_RETENTION_DAYS,
    securityRetentionDays: settings.SECURITY_RETENTION_DAYS,
    refusedBeatRetentionDays: settings.REFUSED_BEAT_RETENTION_DAYS,
    deadJobRetentionDays: settings.DEAD_JOB_RETENTION_DAYS,
    metricsToken: settings.METRICS_TOKEN,
    traceEndpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    logLevel: settings.LOG_LEVEL,
  };
}
