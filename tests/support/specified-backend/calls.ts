import { Hono, type Context } from "hono";
import type { SignUpInput } from "../../../server/auth/contract.ts";
import { createMembers, Refusal, type Member, type Members } from "./members.ts";
import * as points from "./points.ts";
import * as wallets from "./wallets.ts";

export const AUTH_API_KEY = "the key of the auth part";

/**
 * Creates a backend with the calls of the product specification's section 7, in the shapes of its section 3, and
 * nothing else: it answers any other call with 404. Its members and their actions are real, and kept in memory.
 */
export function createSpecifiedBackend() {
  const members = createMembers();
  const asked: string[] = [];
  return {
    ...members,
    /** The calls it received, such as `GET /api/user`. */
    asked,
    main: routeMain(open(asked), members),
    auth: routeAuth(open(asked), members),
  };
}

function open(asked: string[]) {
  const app = new Hono();
  app.use((c, next) => {
    asked.push(`${c.req.method} ${c.req.path}`);
    return next();
  });
  app.notFound((c) => c.json({ message: "Not Found", error: "NOT_FOUND", statusCode: 404 }, 404));
  app.onError((error, c) => {
    if (!(error instanceof Refusal)) throw error;
    return c.json({ message: error.message, error: error.code, statusCode: error.status }, error.status);
  });
  return app;
}

function routeMain(app: Hono, members: Members) {
  const done = { success: true, message: "Done" };
  const get = (path: string, answer: (member: Member, query: Record<string, string>) => object) =>
    app.get(path, (c) => c.json(answer(whoIs(members, c), c.req.query())));
  const post = (path: string, act: (member: Member, c: Context) => Promise<object> | object) =>
    app.post(path, async (c) => c.json(await act(whoIs(members, c), c)));

  get("/api/user", points.describeUser);
  get("/api/users/stats", (member) => points.describeStats(members, member));
  get("/api/users/is-whitelisted", ({ isWhitelisted }) => ({ isWhitelisted }));
  get("/api/users/istosaccepted", ({ acceptedTerms }) => ({ istosAccepted: acceptedTerms }));
  post("/api/users/accept-tos", (member) => {
    member.acceptedTerms = true;
    return done;
  });
  get("/api/users/isppaccepted", ({ acceptedPrivacy }) => ({ isppAccepted: acceptedPrivacy }));
  post("/api/users/accept-pp", (member) => {
    member.acceptedPrivacy = true;
    return done;
  });
  get("/api/users/user-onboarded", ({ isOnboarded }) => ({ success: isOnboarded }));
  post("/api/users/onboard", async (member, c) => {
    const { userId } = await c.req.json<{ userId: string }>();
    if (userId !== member.id) throw new Refusal(403, "FORBIDDEN", "That is somebody else.");
    const alreadyExists = member.isOnboarded;
    member.isOnboarded = true;
    return { alreadyExists };
  });
  get("/api/users/points-history", (member, { range = "" }) => points.describeHistory(member, range));
  get("/api/users/points-log", points.describeLog);
  get("/api/users/data-stats", () => ({
    total_jobs: 3,
    total_jobs_points: 12,
    profiles_amount: 1,
    comments_amount: 2,
    posts_amount: 4,
    result_size: 2048,
  }));
  get("/api/users/referrals-paginated", (member, query) => points.describeReferrals(members, member, query));
  get("/submissions/campaigns", points.describeSubmissions);
  get("/api/campaigns/heartbeat/status", points.describeHeartbeatStatus);
  post("/api/campaigns/:id/claim", (member, c) => {
    points.claim(members, member, c.req.param("id") ?? "");
    return done;
  });

  get("/api/users/smart-id-requirements", wallets.describeRequirements);
  post("/api/users/link-wallet", async (member, c) => {
    await wallets.linkWallet(members, member, await c.req.json());
    return { ...done, user: points.describeUser(member) };
  });
  get("/api/users/wallet-change-eligibility", wallets.checkEligibility);
  post("/api/users/change-wallet", async (member, c) => {
    await wallets.changeWallet(members, member, await c.req.json());
    return {};
  });
  get("/api/peaq/did-status", ({ identity }) => ({ status: identity?.status ?? null }));
  get("/api/peaq/machine-identity", wallets.describeIdentity);
  get("/api/peaq/smart-account-exists", wallets.describeAccount);
  post("/api/peaq/request-did", (member) => ({ ...done, data: wallets.requestIdentity(member) }));
  post("/api/peaq/update-did-signature", async (member, c) => {
    const { machineOwnerSignature } = await c.req.json<{ machineOwnerSignature: string }>();
    return { ...done, data: await wallets.signIdentity(member, machineOwnerSignature) };
  });
  post("/api/peaq/create-smart-account", async (member, c) => {
    await wallets.createAccount(member, await c.req.json());
    return { ...done, status: "pending" };
  });
  return app;
}

/**
 * The specification shows one call of the auth part. It does not show the paths of the two that a sign-up needs: they
 * are the same as in our own contracts.
 */
function routeAuth(app: Hono, members: Members) {
  app.use((c, next) => {
    if (c.req.header("x-api-key") === AUTH_API_KEY) return next();
    throw new Refusal(401, "INVALID_API_KEY", "The key is not valid.");
  });
  app.post("/api/login", async (c) => {
    const { email, password, turnstileToken } = await c.req.json<SignUpInput>();
    if (!turnstileToken) throw new Refusal(400, "VALIDATION_ERROR", "The bot check is missing.");
    const member = members.signIn(email, password);
    return c.json({ access_token: members.begin(member), user: points.describeUser(member) });
  });
  app.post("/api/auth/signup", async (c) => {
    const { email, password, referralCode } = await c.req.json<SignUpInput>();
    const signupToken = members.signUp(email, password, referralCode);
    return c.json({ signupToken, resend: { state: "INITIAL", timestamp: Date.now(), duration: 60_000 } });
  });
  app.post("/api/auth/verify", async (c) => {
    const { token, verificationCode } = await c.req.json<{ token: string; verificationCode?: string }>();
    const member = members.verify(token, verificationCode);
    return c.json({ accessToken: members.begin(member), user: points.describeUser(member) });
  });
  return app;
}

const whoIs = (members: Members, c: Context) => members.authenticate(c.req.header("authorization"));
