import { createAdaptorServer } from "@hono/node-server";
import { Hono, type Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { serveLocally } from "../servers/serve-locally.ts";
import { createAccounts, Refusal, type SentMail } from "./accounts.ts";

const ANON_KEY = "an anonymous key";

/** With this header, errors have codes. */
const API_VERSION = { "X-Supabase-Api-Version": "2024-01-01" };

type Call = `${string} /${string}`;
type Refused = { call: Call; status: ContentfulStatusCode; code: string };

type Body = { email: string; password: string; refresh_token: string; token: string; token_hash: string; type: string };

/**
 * Starts a stand-in for a Supabase project's Auth: its documented endpoints, errors and rules, over HTTP. Its accounts
 * are in memory, and its emails can be read.
 */
export async function startSupabase(now: () => Date) {
  const accounts = createAccounts(now);
  let isDown = false;
  let refusals: Refused[] = [];
  let garbled: { call: Call; body: unknown } | undefined;
  let held: { call: Call; isDone: () => void; until: Promise<void> } | undefined;
  let confirmsUnseen = false;
  let requests: string[] = [];
  let kinds: string[] = [];

  const app = new Hono().basePath("/auth/v1");
  app.use(async (c, next) => {
    requests.push(`${c.req.method} ${c.req.path.replace("/auth/v1", "")}`);
    const refused = refusals.find(({ call }) => call === requests.at(-1));
    if (refused) return c.json({ code: refused.code, message: "Refused" }, refused.status, API_VERSION);
    if (garbled && garbled.call === requests.at(-1))
      return garbled.body instanceof Response ? garbled.body.clone() : c.text(JSON.stringify(garbled.body));
    if (isDown) return c.json({ message: "The service is not available." }, 503);
    // As the gateway in front of it answers: without a code.
    if (c.req.header("apikey") !== ANON_KEY) return c.json({ message: "Invalid API key" }, 401);
    const holding = held?.call === requests.at(-1) ? held : undefined;
    if (!holding) return next();
    held = undefined;
    await next();
    holding.isDone();
    await holding.until;
  });
  app.get("/settings", (c) => c.json({ external: { email: true }, mailer_autoconfirm: confirmsUnseen }));
  app.post("/signup", async (c) => {
    const { email, password } = await read(c);
    return c.json(accounts.signUp(email, password));
  });
  app.post("/token", async (c) => {
    const { email, password, refresh_token } = await read(c);
    const isRefresh = c.req.query("grant_type") === "refresh_token";
    return c.json(isRefresh ? accounts.refresh(refresh_token) : accounts.signIn(email, password));
  });
  app.post("/verify", async (c) => {
    const proof = await read(c);
    kinds.push(`verify ${proof.type}`);
    return c.json(accounts.verify(proof));
  });
  app.post("/resend", async (c) => {
    const { email, type } = await read(c);
    kinds.push(`resend ${type}`);
    return c.json(accounts.resend(email));
  });
  app.post("/recover", async (c) => c.json(accounts.recover((await read(c)).email)));
  app.get("/user", (c) => c.json(accounts.readUser(bearer(c))));
  app.put("/user", async (c) => c.json(accounts.setPassword(bearer(c), (await read(c)).password)));
  app.post("/logout", (c) => {
    accounts.signOut(bearer(c), c.req.query("scope") ?? "global");
    return c.body(null, 204);
  });
  app.onError((error, c) => {
    if (!(error instanceof Refusal)) throw error;
    return c.json(error.body, error.status as ContentfulStatusCode, API_VERSION);
  });

  const { url, close } = await serveLocally(createAdaptorServer(app));

  return {
    url,
    anonKey: ANON_KEY,
    ...accounts,
    /** Returns the latest email to an address, once there are `count`: responses do not wait for emails. */
    async mailTo(email: string, count = 1): Promise<SentMail> {
      for (;;) {
        const mails = accounts.mails.filter(({ to }) => to === email);
        const mail = mails.at(-1);
        if (mail && mails.length >= count) return mail;
        await accounts.nextMail();
      }
    },
    /** Returns the calls since the last time, such as `POST /token`. */
    takeRequests() {
      const taken = requests;
      requests = [];
      return taken;
    },
    /** Returns the kinds of proofs and emails requested since the last time, such as `verify email`. */
    takeKinds() {
      const taken = kinds;
      kinds = [];
      return taken;
    },
    /** Answers every call with an error from now on, or works again. */
    breakDown(down = true) {
      isDown = down;
    },
    /** Refuses these calls, such as `POST /token`, from now on. */
    refuse(...which: Refused[]) {
      refusals = which;
    },
    /** Answers a call with this body from now on. Without arguments, works as usual again. */
    garble(call?: Call, body?: unknown) {
      garbled = call && { call, body };
    },
    /** Holds back the next response to a call: `done` resolves once it is ready, and `release` sends it. */
    hold(call: Call) {
      const [done, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      held = { call, isDone: done.resolve, until: end.promise };
      return { done: done.promise, release: end.resolve };
    },
    /** Signs in addresses that nobody has confirmed. */
    confirmUnseen(unseen = true) {
      confirmsUnseen = unseen;
    },
    close,
  };
}

const read = (c: Context) => c.req.json<Body>();
const bearer = (c: Context) => c.req.header("authorization")?.replace(/^Bearer /, "") ?? "";
