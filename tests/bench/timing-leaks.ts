import { Hono } from "hono";
import { createCredential } from "../../server/secrets/credential.ts";
import { emailKey } from "../../server/mail/email-key.ts";
import { findAccount } from "../../server/auth/queries.ts";
import { firstResendStep, toResend } from "../../server/mailed-code/resend-ladder.ts";
import type { Deps } from "../../server/deps.ts";
import type { HttpEnv } from "../../server/http/http-env.ts";
import { readUser } from "../../server/profile/service.ts";

/** Emails that are sent if there is nothing to do, which one might be tempted to omit. */
const NOTHING_TO_DO = new Set(["You already have an account", "There is no account with this address"]);

/** Returns services with common leaks: no hash and no email if there is nothing to do. */
export function leak(deps: Deps): Deps {
  const { outbox, passwords } = deps;
  return {
    ...deps,
    passwords: {
      ...passwords,
      verify: async (hash, password) => (hash ? passwords.verify(hash, password) : false),
    },
    outbox: {
      ...outbox,
      async post(tx, letter, expiresAt) {
        if (!NOTHING_TO_DO.has(letter.subject)) await outbox.post(tx, letter, expiresAt);
      },
    },
  };
}

/** Makes sign-up answer a taken address at once, and check-user read the member if there is one. */
export function leakEndpoints(app: Hono<HttpEnv>, deps: Deps): Hono<HttpEnv> {
  const leaky = new Hono<HttpEnv>();
  const findAsked = async (request: Request) => {
    const { email }: { email: string } = await request.clone().json();
    return findAccount(deps.db, emailKey(email));
  };
  leaky.post("/api/auth/check-user", async (c, next) => {
    const account = await findAsked(c.req.raw);
    if (account) await readUser(deps, account.id);
    return next();
  });
  leaky.post("/api/auth/signup", async (c, next) => {
    if (!(await findAsked(c.req.raw))) return next();
    return c.json({ signupToken: createCredential("signUp").token, resend: toResend(firstResendStep(deps.now())) });
  });
  return leaky.route("/", app);
}
