import { createHash, createHmac, randomBytes, randomInt, randomUUID } from "node:crypto";

/** An error in the format of Supabase Auth's API version 2024-01-01. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: object;

  constructor(status: number, code: string, message: string, more: object = {}) {
    super(message);
    this.status = status;
    this.body = { code, message, ...more };
  }
}

export type SentMail = { to: string; type: "signup" | "recovery"; code: string; tokenHash: string };
type Account = { id: string; email: string; password: string; confirmedAt: string | null; mailedAt: number };
type Grant = { account: Account; sessionId: string };

const TOKEN_SECONDS = 3600;
const MAIL_EVERY_MS = 60_000;
const KEY = randomBytes(32);

/**
 * Implements the rules of Supabase Auth, as documented at https://supabase.com/docs/reference/self-hosting-auth, in
 * memory.
 */
export function createAccounts(now: () => Date) {
  const accounts = new Map<string, Account>();
  const mails: SentMail[] = [];
  let mailed = Promise.withResolvers<void>();
  /** The codes that can still be used, by hash. */
  const open = new Map<string, { account: Account; type: SentMail["type"]; code: string }>();
  const refreshTokens = new Map<string, Grant & { isUsed: boolean }>();
  const sessions = new Set<string>();

  const describe = ({ id, email, confirmedAt }: Account) => ({
    id,
    aud: "authenticated",
    role: confirmedAt ? "authenticated" : "",
    email,
    email_confirmed_at: confirmedAt ?? undefined,
    app_metadata: { provider: "email", providers: ["email"] },
    user_metadata: {},
    identities: [{ id, provider: "email" }],
    created_at: "2026-01-01T00:00:00Z",
  });

  function grant({ account, sessionId }: Grant) {
    const seconds = Math.floor(Date.now() / 1000) + TOKEN_SECONDS;
    const refreshToken = randomBytes(9).toString("base64url");
    refreshTokens.set(refreshToken, { account, sessionId, isUsed: false });
    return {
      access_token: sign({ sub: account.id, session_id: sessionId, exp: seconds }),
      token_type: "bearer",
      expires_in: TOKEN_SECONDS,
      expires_at: seconds,
      refresh_token: refreshToken,
      user: describe(account),
    };
  }

  function begin(account: Account) {
    const sessionId = randomUUID();
    sessions.add(sessionId);
    return grant({ account, sessionId });
  }

  function mail(account: Account, type: SentMail["type"]) {
    if (now().getTime() - account.mailedAt < MAIL_EVERY_MS) {
      const message = "For security purposes, you can only request this after 60 seconds.";
      throw new Refusal(429, "over_email_send_rate_limit", message);
    }
    account.mailedAt = now().getTime();
    const code = String(randomInt(1_000_000)).padStart(6, "0");
    const tokenHash = createHash("sha224")
      .update(account.email + code)
      .digest("hex");
    for (const [hash, each] of open) if (each.account === account) open.delete(hash);
    open.set(tokenHash, { account, type, code });
    mails.push({ to: account.email, type, code, tokenHash });
    mailed.resolve();
    mailed = Promise.withResolvers();
  }

  /** Returns the account of an access token whose session has not ended. */
  function authenticate(accessToken: string): Grant {
    const { sub, session_id: sessionId } = read(accessToken);
    const account = [...accounts.values()].find(({ id }) => id === sub);
    if (!account || !sessions.has(sessionId)) throw new Refusal(403, "session_not_found", "Session not found.");
    return { account, sessionId };
  }

  function endSessions(account: Account, isOver: (sessionId: string) => boolean) {
    for (const [token, { account: owner, sessionId }] of refreshTokens) {
      if (owner !== account || !isOver(sessionId)) continue;
      refreshTokens.delete(token);
      sessions.delete(sessionId);
    }
  }

  return {
    mails,
    nextMail: () => mailed.promise,
    sessions,
    /** Allows another email to an address at once. */
    allowMail(email: string) {
      const account = accounts.get(email);
      if (account) account.mailedAt = 0;
    },

    /** The refresh tokens that can be used. */
    tokens: () => refreshTokens.keys(),

    /** As if an administrator had signed everybody out. */
    endEverySession() {
      sessions.clear();
      refreshTokens.clear();
    },

    /** As if an administrator had changed an account's address. */
    changeAddress(from: string, to: string) {
      const account = accounts.get(from);
      if (!account) return;
      accounts.delete(from);
      account.email = to;
      accounts.set(to, account);
    },

    /** As if an administrator had removed a user. */
    remove(email: string) {
      const account = accounts.get(email);
      if (!account) return;
      accounts.delete(email);
      endSessions(account, () => true);
    },

    signUp(email: string, password: string) {
      checkPassword(password);
      const known = accounts.get(email.toLowerCase());
      const account = known ?? {
        id: randomUUID(),
        email: email.toLowerCase(),
        password,
        confirmedAt: null,
        mailedAt: 0,
      };
      // The answer must not reveal that the account exists, so this invents one.
      if (known?.confirmedAt) return { ...describe({ ...known, id: randomUUID(), confirmedAt: null }), identities: [] };
      accounts.set(account.email, account);
      mail(account, "signup");
      return describe(account);
    },

    signIn(email: string, password: string) {
      const account = accounts.get(email.toLowerCase());
      if (account?.password !== password) throw new Refusal(400, "invalid_credentials", "Invalid login credentials");
      if (!account.confirmedAt) throw new Refusal(400, "email_not_confirmed", "Email not confirmed");
      return begin(account);
    },

    refresh(refreshToken: string) {
      const granted = refreshTokens.get(refreshToken);
      if (!granted) throw new Refusal(400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found");
      if (granted.isUsed) throw new Refusal(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used");
      granted.isUsed = true;
      return grant(granted);
    },

    verify(given: { email?: string; token?: string; token_hash?: string; type: string }) {
      // As Supabase does, "email" takes both.
      const wanted = given.type === "email" ? ["signup", "recovery"] : [given.type];
      const found = [...open].find(
        ([hash, { account, type, code }]) =>
          wanted.includes(type) &&
          (given.token_hash
            ? hash === given.token_hash
            : account.email === given.email?.toLowerCase() && code === given.token),
      );
      if (!found) throw new Refusal(403, "otp_expired", "Email link is invalid or has expired");
      const [hash, { account }] = found;
      open.delete(hash);
      account.confirmedAt ??= now().toISOString();
      return begin(account);
    },

    resend(email: string) {
      const account = accounts.get(email.toLowerCase());
      if (account && !account.confirmedAt) mail(account, "signup");
      return {};
    },

    recover(email: string) {
      const account = accounts.get(email.toLowerCase());
      if (account) mail(account, "recovery");
      return {};
    },

    readUser: (accessToken: string) => describe(authenticate(accessToken).account),

    setPassword(accessToken: string, password: string) {
      const { account, sessionId } = authenticate(accessToken);
      checkPassword(password);
      const message = "New password should be different from the old password.";
      if (account.password === password) throw new Refusal(422, "same_password", message);
      account.password = password;
      endSessions(account, (each) => each !== sessionId);
      return describe(account);
    },

    signOut(accessToken: string, scope: string) {
      const { account, sessionId } = authenticate(accessToken);
      endSessions(account, (each) =>
        scope === "local" ? each === sessionId : scope === "global" || each !== sessionId,
      );
    },
  };
}

function checkPassword(password: string) {
  if (Buffer.byteLength(password) > 72)
    throw new Refusal(400, "validation_failed", "Password cannot be longer than 72 characters");
  if (password.length >= 8 && /[a-z]/.test(password)) return;
  const weakness = { weak_password: { reasons: ["characters"] } };
  throw new Refusal(422, "weak_password", "Password is too weak.", weakness);
}

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
const hmac = (content: string) => createHmac("sha256", KEY).update(content).digest("base64url");

type Claims = { sub: string; session_id: string; exp: number };

function sign(claims: Claims): string {
  const content = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
  return `${content}.${hmac(content)}`;
}

function read(token: string): Claims {
  const [header = "", payload = "", signature] = token.split(".");
  if (hmac(`${header}.${payload}`) !== signature) throw new Refusal(403, "bad_jwt", "invalid JWT");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as Claims;
  if (claims.exp * 1000 < Date.now()) throw new Refusal(403, "bad_jwt", "invalid JWT: token is expired");
  return claims;
}
