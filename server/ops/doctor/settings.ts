import type { Env } from "../../env.ts";
import type { Check, Examination } from "./check.ts";

/** The settings by themselves. */
export const settings: Examination = {
  name: "settings",
  async look({ env, problems }) {
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
      ...(wrong.length === 0 ? [{ name, state: "ok", says: mode } satisfies Check] : []),
    ];
  },
};

/** Settings that something else takes the effect of, a sentence each. */
export function findIgnored(env: Ignorable): string[] {
  const { apiUrl, databaseUrl, otherAuthApiKey, otherSessionSecret, sessionSecret } = env;
  if (!apiUrl) return [];
  return [
    ...(otherAuthApiKey
      ? ["AUTH_API_KEY_OTHER has no effect with API_URL: that backend says which keys it takes."]
      : []),
    ...(databaseUrl ? ["DATABASE_URL has no effect with API_URL: the data is that backend's."] : []),
    ...((sessionSecret ?? otherSessionSecret)
      ? ["SESSION_SECRET has no effect with API_URL: nothing is signed here."]
      : []),
  ];
}
type Ignorable = Pick<Env, "apiUrl" | "databaseUrl" | "otherAuthApiKey" | "otherSessionSecret" | "sessionSecret">;

const EVERYBODY = /\/0$/;

/** Whose word is taken for where a call comes from. */
export const proxies: Examination = {
  name: "trusted proxies",
  async look({ env: { mode, publicUrl, trustedProxies } }) {
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
