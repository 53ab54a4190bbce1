import { Hono } from "hono";
import { createCredential } from "../../server/secrets/credential.ts";
import { emailKey } from "../../server/mail/email-key.ts";
import { findAccount } from "../../server/auth/queries.ts";
import { firstRung, toResend } from "../../server/mailed-code/resend-ladder.ts";
import type { Deps } from "../../server/deps.ts";
import type { HttpEnv } from "../../server/http/http-env.ts";
import { readUser } from "../../server/profile/service.ts";

/** Letters for the cases in which there is nothing to do: what is tempting to leave out. */
const NOTHING_TO_DO = new Set(["You already have an account", "There is no account with this address"]);

/** Services with the leaks that such services often have: no hash and no mail where there is nothing to do. */
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

/** Lets sign-up answer a taken address at once, and check-user read the member there is. */
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
    return c.json({ signupToken: createCredential("signUp").token, resend: toResend(firstRung(deps.now())) });
  });
  return leaky.route("/", app);
}
