import type { Env, Settings } from "../../env.ts";
import { findMistaken } from "../../mistaken-settings.ts";
import type { Check, Examination } from "./check.ts";

/** Checks the settings, without connecting to anything. */
export const settings: Examination = {
  name: "settings",
  async examine({ env, given, problems }) {
    const name = "settings";
    const wrong = problems.map((says): Check => ({
      name,
      state: "broken",
      says,
      todo: "The server does not start like this.",
    }));
    const ignored = findIgnored(env);
    const mode = env.mode === "demo" ? "A demo: it has neither NODE_ENV=production nor a PUBLIC_URL." : "Production.";
    return [
      ...wrong,
      ...ignored.map((says): Check => ({ name, state: "warning", says, todo: "Leave it out, or leave API_URL out." })),
      ...findMistaken(given).map((says): Check => ({
        name,
        state: "warning",
        says,
        todo: "Correct it, or leave it out. Change a secret only as docs/operations.md says.",
      })),
      ...(wrong.length === 0 ? [{ name, state: "ok", says: mode } satisfies Check] : []),
    ];
  },
};

/** Settings that have no effect with API_URL, and what that backend does instead. */
const IDLE = [
  ["AUTH_API_KEY_OTHER", "otherAuthApiKey", "that backend says which keys it takes."],
  ["DATABASE_URL", "databaseUrl", "the data is that backend's."],
  ["SESSION_SECRET", "sessionSecret", "nothing is signed here."],
  ["SESSION_SECRET_OTHER", "otherSessionSecret", "nothing is signed here."],
  ["SMTP_URL", "smtpUrl", "that backend sends the mail."],
  ["TURNSTILE_SECRET_KEY", "turnstileSecretKey", "that backend checks the tokens."],
  ["SUPABASE_URL", "supabaseUrl", "that backend has the accounts."],
  ["CHAIN_RPC_URLS", "chainRpcUrls", "that backend works on the chain."],
  ["NODE_PASS_ADDRESS", "nodePassAddress", "that backend reads the passes."],
  ["CAMPAIGN_WEBHOOK_SECRET", "campaignWebhookSecrets", "that backend receives these messages."],
] as const satisfies readonly (readonly [keyof Settings, keyof Env, string])[];

/** Returns a sentence for each of these settings that is set. */
export const findIgnored = (env: Pick<Env, "apiUrl" | (typeof IDLE)[number][1]>): string[] =>
  env.apiUrl
    ? IDLE.flatMap(([name, key, instead]) => (env[key] ? `${name} has no effect with API_URL: ${instead}` : []))
    : [];

const EVERYBODY = /\/0$/;

/** Checks which proxies may say where a request comes from. */
export const proxies: Examination = {
  name: "trusted proxies",
  async examine({ env: { mode, publicUrl, trustedProxies } }) {
    const name = "trusted proxies";
    const open = trustedProxies.find((each) => EVERYBODY.test(each));
    if (open)
      return [
        {
          name,
          state: "broken",
          says: `TRUSTED_PROXIES has ${open}: anybody can pretend to be somebody else, and escape every limit.`,
          todo: "List the proxies' own addresses.",
        },
      ];
    if (trustedProxies.length > 0) return [{ name, state: "ok", says: `${trustedProxies.join(", ")}.` }];
    if (mode === "demo" || !publicUrl?.startsWith("https:")) return [{ name, state: "ok", says: "None." }];
    return [
      {
        name,
        state: "warning",
        says: "PUBLIC_URL is https, so a proxy is in front of the server, and TRUSTED_PROXIES is empty: all members count as one client.",
        todo: "Set TRUSTED_PROXIES to the proxy's address.",
      },
    ];
  },
};
