import { randomUUID } from "node:crypto";
import { checkConfiguredChain } from "../../chain/check-chain.ts";
import { createBackendCheck } from "../../http/check-backend.ts";
import { createSmtpTransport } from "../../mail/smtp.ts";
import { explain, type Check, type Examination } from "./check.ts";

/** How long one answer may take, in milliseconds. */
const LIMIT = 5_000;

const ok = (says: string): Check[] => [{ name: "mail server", state: "ok", says }];

/**
 * Checks the mail server: whether it answers, encrypts as required and accepts our sign-in. Sends an email only if a
 * recipient is given.
 */
export const mail: Examination = {
  name: "mail server",
  async examine({ env: { apiUrl, authApiUrl, mailFrom, mode, smtpUrl }, given, sendTo }) {
    if (apiUrl) return ok("Another backend sends the mail.");
    if (!smtpUrl || !mailFrom) {
      if (authApiUrl) return ok("Another backend sends the mail.");
      if (mode === "demo" && !given.SMTP_URL) return ok("None: mail is written to DATA_DIR/mail.");
      const says = "It cannot be checked: SMTP_URL or MAIL_FROM is missing or wrong.";
      return [{ name: "mail server", state: "broken", says, todo: "Set both." }];
    }
    const transport = createSmtpTransport({ smtpUrl, mailFrom });
    try {
      await transport.verify();
      if (!sendTo) return ok("It accepts our sign-in. To see a mail arrive: --send-to <address>");
      const text = "This email shows that emails from Nodebeat arrive. You do not need to do anything.";
      await transport.send({
        id: randomUUID(),
        to: sendTo,
        subject: "Test email from Nodebeat",
        text,
        html: `<p>${text}</p>`,
      });
      return ok(`It has accepted an email to ${sendTo}.`);
    } catch (error) {
      const todo = "Check SMTP_URL: the host, the port, smtps:// or smtp://, the user and the password; and MAIL_FROM.";
      return [{ name: "mail server", state: "broken", says: explain(error), todo }];
    } finally {
      transport.close();
    }
  },
};

/** Checks the chain: whether every address leads to the right one, and the keys have their roles and funds. */
export const chain: Examination = {
  name: "chain",
  async examine({ env }) {
    if (env.apiUrl) return [{ name: "chain", state: "ok", says: "The backend at API_URL has one." }];
    const { problem, isConfigured } = await checkConfiguredChain(env);
    if (!isConfigured)
      return [{ name: "chain", state: "ok", says: "None is set: a ledger in the database stands in." }];
    if (!problem)
      return [{ name: "chain", state: "ok", says: "It answers; the contract, the roles and the balances are right." }];
    const todo = "Members see Smart Accounts as not available until this is put right.";
    return [{ name: "chain", state: "broken", says: problem, todo }];
  },
};

/** Checks other backends: whether they answer and accept our key. */
export const backends: Examination = {
  name: "backends",
  async examine({ env: { apiUrl, authApiKey, authApiUrl, supabaseAnonKey, supabaseUrl } }) {
    const asked = apiUrl ?? authApiUrl;
    const ours = asked ? [await examineApi(asked, { authApiUrl, authApiKey })] : [];
    const theirs =
      !apiUrl && supabaseUrl && supabaseAnonKey ? [await examineSupabase(supabaseUrl, supabaseAnonKey)] : [];
    return [...ours, ...theirs];
  },
};

async function examineApi(apiUrl: string, others: { authApiUrl: string | undefined; authApiKey: string | undefined }) {
  const { authApiKey, authApiUrl = apiUrl } = others;
  const status = await createBackendCheck({ apiUrl, authApiUrl, authApiKey }, LIMIT)();
  if (status.ok) return { name: "backends", state: "ok", says: "The API answers." } satisfies Check;
  const todo = "Check API_URL, AUTH_API_URL and AUTH_API_KEY, and whether that backend works.";
  return { name: "backends", state: "broken", says: status.reason, todo } satisfies Check;
}

async function examineSupabase(url: string, apikey: string): Promise<Check> {
  const signal = AbortSignal.timeout(LIMIT);
  const name = "backends";
  try {
    const { ok, status } = await fetch(`${url.replace(/\/$/, "")}/auth/v1/settings`, {
      headers: { apikey },
      signal,
      redirect: "error",
    });
    if (ok) return { name, state: "ok", says: "Supabase answers, and accepts the key." };
    return {
      name,
      state: "broken",
      says: `Supabase answers ${status}.`,
      todo: "Check SUPABASE_URL and SUPABASE_ANON_KEY.",
    };
  } catch (error) {
    return { name, state: "broken", says: `Supabase does not answer: ${explain(error)}`, todo: "Check SUPABASE_URL." };
  }
}
