import { BlockList, isIP } from "node:net";
import { isPrivateHost } from "./http/own-network.ts";
import { readWebhookKey } from "./webhooks/signature.ts";

type Given = Record<string, string | undefined>;
type Rule = (given: Given) => string | false | undefined;

/** Settings that only work together. `isEnough` is the one that may be set alone when another backend has the rest. */
type Group = { names: string[]; isEnough?: string };

const TOGETHER: Group[] = [
  { names: ["TURNSTILE_SITE_KEY", "TURNSTILE_SECRET_KEY"], isEnough: "TURNSTILE_SITE_KEY" },
  { names: ["SUPABASE_URL", "SUPABASE_ANON_KEY"] },
  {
    names: ["CHAIN_RPC_URLS", "CHAIN_FACTORY_ADDRESS", "CHAIN_ADMIN_KEY", "CHAIN_MANAGER_KEY"],
    isEnough: "CHAIN_FACTORY_ADDRESS",
  },
];

const ofSecrets: Rule[] = ["SESSION_SECRET", "AUTH_API_KEY"].flatMap((name): Rule[] => [
  ({ [name]: one, [`${name}_OTHER`]: other }) =>
    other && !one && `${name}_OTHER needs ${name}: it is the next or the previous one.`,
  ({ [name]: one, [`${name}_OTHER`]: other }) =>
    other && other === one && `${name}_OTHER is the same as ${name}: leave it out.`,
]);

const ofReplica: Rule[] = [
  ({ API_URL, DATABASE_READ_URL: replica }) =>
    replica && API_URL && "DATABASE_READ_URL cannot be used with API_URL: that backend has the data.",
  ({ API_URL, DATABASE_READ_URL: replica, DATABASE_URL }) =>
    replica &&
    !DATABASE_URL &&
    !API_URL &&
    "DATABASE_READ_URL needs DATABASE_URL: it is a replica of that one, and the embedded database has none.",
  ({ DATABASE_READ_URL: replica, DATABASE_URL }) =>
    replica && replica === DATABASE_URL && "DATABASE_READ_URL is the same as DATABASE_URL: leave it out.",
];

/** The modes that libraries know, and the one that starts a demo. */
const MODES = new Set(["production", "development", "test", "demo"]);

const always: Rule[] = [
  ({ NODE_ENV: mode }) =>
    mode && !MODES.has(mode) && `NODE_ENV must be production, or left out for a demo, not ${mode}.`,
  ({ AUTH_API_URL, AUTH_API_KEY }) => AUTH_API_URL && !AUTH_API_KEY && "AUTH_API_KEY is required with AUTH_API_URL.",
  ({ SMTP_URL, MAIL_FROM }) => SMTP_URL && !MAIL_FROM && "MAIL_FROM is required with SMTP_URL.",
  ({ API_URL, DATABASE_URL, NODEBEAT_ROLE: role }) =>
    (role === "web" || role === "worker") &&
    !DATABASE_URL &&
    !API_URL &&
    `NODEBEAT_ROLE=${role} needs DATABASE_URL: only one process can use the embedded database.`,
  ({ API_URL, NODEBEAT_ROLE }) =>
    API_URL &&
    NODEBEAT_ROLE === "worker" &&
    "NODEBEAT_ROLE=worker cannot be used with API_URL: that backend does the background work.",
  ...ofSecrets,
  ...ofReplica,
  ({ PUBLIC_URL }) => hasPath(PUBLIC_URL) && "PUBLIC_URL must not have a path: the product is served at the root.",
  ({ TRUSTED_PROXIES }) => findBadProxy(TRUSTED_PROXIES),
  ({ CHAIN_RPC_URLS }) => CHAIN_RPC_URLS && !/[^\s,]/.test(CHAIN_RPC_URLS) && "CHAIN_RPC_URLS lists no address.",
  ({ CHAIN_RPC_URLS }) =>
    hasOtherThanWeb(CHAIN_RPC_URLS) && "CHAIN_RPC_URLS must list addresses like https://rpc.example, with commas.",
  ...["CHAIN_FACTORY_ADDRESS", "NODE_PASS_ADDRESS"].map(
    (name): Rule =>
      ({ [name]: address }) =>
        address && !/^0x[0-9a-fA-F]{40}$/.test(address) && `${name} must be an address: 0x and 40 hexadecimal digits.`,
  ),
  ({ CHAIN_RPC_URLS, NODE_PASS_ADDRESS }) =>
    NODE_PASS_ADDRESS && !CHAIN_RPC_URLS && "NODE_PASS_ADDRESS needs CHAIN_RPC_URLS and what goes with it.",
  ({ NODE_PASS_ADDRESS, NODE_PASS_SIGNER_KEY }) =>
    NODE_PASS_SIGNER_KEY && !NODE_PASS_ADDRESS && "NODE_PASS_SIGNER_KEY needs NODE_PASS_ADDRESS.",
  ...["CHAIN_ADMIN_KEY", "CHAIN_MANAGER_KEY", "NODE_PASS_SIGNER_KEY"].map(
    (name): Rule =>
      ({ [name]: key }) =>
        key && !isPrivateKey(key) && `${name} must be a private key: 64 hexadecimal digits.`,
  ),
  ({ CAMPAIGN_WEBHOOK_SECRET }) =>
    hasOtherThanWebhookSecrets(CAMPAIGN_WEBHOOK_SECRET) &&
    "CAMPAIGN_WEBHOOK_SECRET must be whsec_ and 24 to 64 random bytes in base64, or two of these with a comma.",
  ...TOGETHER.map(
    (group): Rule =>
      (given) =>
        findIncomplete(group, given),
  ),
];

/**
 * Whether this server sends the account emails. A remote auth backend sends its own emails to verify addresses and
 * reset passwords. AUTH_API_URL defaults to API_URL.
 */
const sendsMail = ({ API_URL, AUTH_API_URL }: Given) => !API_URL && !AUTH_API_URL;

/** What production requires of the connection to its database. */
const ofDatabase: Rule[] = [
  ...["DATABASE_URL", "DATABASE_READ_URL"].map(
    (name): Rule =>
      ({ [name]: address }) =>
        sendsUnencrypted(address) &&
        `${name} leaves the network without encryption: add ?sslmode=verify-full (or ?sslmode=disable, if you want that).`,
  ),
  ({ NODE_TLS_REJECT_UNAUTHORIZED }) =>
    NODE_TLS_REJECT_UNAUTHORIZED === "0" &&
    "NODE_TLS_REJECT_UNAUTHORIZED=0 lets anybody impersonate the database, the mail server and the backends: leave it out.",
];

/** What production requires of the secrets. In front of another backend, this server signs and seals nothing. */
const ofSecretInProduction: Rule[] = [
  ({ API_URL, SESSION_SECRET }) =>
    !SESSION_SECRET && !API_URL && "SESSION_SECRET is required: make one with `openssl rand -base64 32`.",
  ...["SESSION_SECRET", "SESSION_SECRET_OTHER"].map(
    (name): Rule =>
      ({ [name]: secret }) =>
        secret && isWeak(secret) && `${name} is weak: use 32 random characters or more (\`openssl rand -base64 32\`).`,
  ),
];

/**
 * What production requires. DATABASE_URL is optional: the embedded database is durable, but several processes cannot
 * share it.
 */
const inProduction: Rule[] = [
  ({ PUBLIC_URL }) =>
    !PUBLIC_URL && "PUBLIC_URL is required: the address members use, for secure cookies and the origin check.",
  ({ PUBLIC_URL }) =>
    isPlainHttp(PUBLIC_URL) && "PUBLIC_URL must be https: a session cookie is not sent over plain http.",
  ...ofSecretInProduction,
  (given) =>
    sendsMail(given) &&
    !given.SMTP_URL &&
    "SMTP_URL is required: sign-up and password reset go by mail (or AUTH_API_URL, a backend that sends its own).",
  (given) =>
    sendsMail(given) && !given.SMTP_URL && !given.MAIL_FROM && "MAIL_FROM is required: the sender of that mail.",
  ...ofDatabase,
  ...["API_URL", "AUTH_API_URL", "SUPABASE_URL", "CHAIN_RPC_URLS", "OTEL_EXPORTER_OTLP_ENDPOINT"].map(
    (name): Rule =>
      ({ [name]: addresses }) =>
        addresses?.split(",").some(sendsUnencrypted) &&
        `${name} must be https, except in a network of your own: what goes there could be read and changed on the way.`,
  ),
  ({ METRICS_TOKEN }) =>
    METRICS_TOKEN && METRICS_TOKEN.length < 16 && "METRICS_TOKEN is weak: use 16 characters or more.",
];

type Mode = "demo" | "production";

/** Lists the settings that are missing, weak or do not fit together, one sentence each. */
export const findMissing = (given: Given, mode: Mode): string[] =>
  follow(mode === "production" ? [...inProduction, ...always] : always, given);

/** Does the same for the settings of the database connection. */
export const findMissingOfDatabase = (given: Given, mode: Mode): string[] =>
  follow(mode === "production" ? ofDatabase : [], given);

/** Does the same for the secrets alone. */
export const findMissingOfSecrets = (given: Given, mode: Mode): string[] =>
  follow(mode === "production" ? [...ofSecretInProduction, ...ofSecrets] : ofSecrets, given);

const follow = (rules: Rule[], given: Given) => rules.flatMap((rule) => rule(given) || []);

function findIncomplete({ names, isEnough }: Group, given: Given) {
  const missing = names.filter((name) => !given[name]);
  if (missing.length === 0 || missing.length === names.length) return undefined;
  const isRemote = given.API_URL ?? given.AUTH_API_URL;
  if (isRemote && missing.join() === names.filter((name) => name !== isEnough).join()) return undefined;
  return `${names.join(", ")} only work together: ${missing.join(", ")} missing.`;
}

function hasPath(address: string | undefined) {
  if (!address || !URL.canParse(address)) return false;
  return new URL(address).pathname !== "/";
}

function hasOtherThanWeb(addresses: string | undefined) {
  const list = addresses?.split(",").flatMap((item) => item.trim() || []);
  return list?.some((address) => !URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol));
}

function hasOtherThanWebhookSecrets(secrets: string | undefined) {
  const list = secrets?.split(",").flatMap((item) => item.trim() || []) ?? [];
  return list.length > 2 || list.some((secret) => !readWebhookKey(secret));
}

/** The order of the curve (secp256k1). A private key is a number between zero and this, both excluded. */
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

function isPrivateKey(key: string) {
  const digits = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(key)?.[1];
  return digits !== undefined && BigInt(`0x${digits}`) > 0n && BigInt(`0x${digits}`) < CURVE_ORDER;
}

/**
 * Whether an address is plain HTTP. False for this machine's own addresses, such as localhost: browsers treat them as
 * secure, so production mode can be tried there.
 */
function isPlainHttp(address: string | undefined) {
  if (!address || !URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "http:" && !["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

/**
 * Whether data sent to an address would leave the private network unencrypted. False if its `sslmode` is set, because
 * the operator has then decided.
 */
function sendsUnencrypted(address: string | undefined): boolean {
  const url = URL.parse(address?.trim() ?? "");
  if (!url || url.protocol === "https:") return false;
  if (!url.protocol.startsWith("postgres")) return !isPrivateHost(url.hostname);
  // Like `pg`, prefers the `host` of the query: another host, or the folder of a socket.
  const host = url.searchParams.get("host") || url.hostname;
  return !host.startsWith("/") && !isPrivateHost(host) && !url.searchParams.get("sslmode");
}

function isWeak(secret: string) {
  const placeholder = /change.?me|replace.?me|example|placeholder|your.?secret|password|^secret/i;
  return secret.length < 32 || new Set(secret).size < 10 || placeholder.test(secret);
}

function findBadProxy(proxies: string | undefined) {
  const bad = proxies
    ?.split(",")
    .map((item) => item.trim())
    .find((item) => item && !isAddressOrRange(item));
  return bad && `TRUSTED_PROXIES must list addresses or ranges like 10.0.0.0/8, not ${bad}.`;
}

function isAddressOrRange(item: string) {
  const [address = "", prefix, ...others] = item.split("/");
  const family = isIP(address);
  if (prefix === undefined) return family > 0;
  if (others.length > 0) return false;
  try {
    new BlockList().addSubnet(address, Number(prefix), family === 6 ? "ipv6" : "ipv4");
    return /^\d+$/.test(prefix);
  } catch {
    return false;
  }
}
