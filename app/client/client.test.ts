import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { AUTH_URL, MAIN_URL, handle, createMswBackend } from "../../tests/support/samples/msw-backend.ts";
import { SAMPLES } from "../../tests/support/samples/samples.ts";
import { issueBotCheck } from "../../server/auth/contract.ts";
import { createApiClient, type ApiClient } from "./client.ts";
import { openTransports } from "../api/transport.ts";

const backend = createMswBackend();
const log = { error: vi.fn<(details: object, message: string) => void>() };

beforeAll(() => backend.listen());
afterEach(() => {
  backend.reset();
  log.error.mockClear();
});
afterAll(() => backend.close());

const installation = { origin: "https://nodebeat.test", contracts: { version: "1" } };
const embedded = { fetch: () => Promise.reject(new Error("not over HTTP")) };

function createClient(settings = {}): ApiClient {
  const client = { address: "", userAgent: "", deviceToken: undefined, requestId: "request-1" };
  const given = { embedded, client, apiUrl: MAIN_URL, authApiUrl: AUTH_URL, authApiKey: "static-key", ...settings };
  return createApiClient({ ...openTransports(given), accessToken: "secret-token", log, installation });
}

const signature = { address: "0x1", signature: "0x2", message: "I link" };
const logIn = { email: "ana@example.org", password: "password", turnstileToken: "t" };
const reset = { token: "t", password: "a pass phrase" };
const change = { currentPassword: "password", password: "a pass phrase" };
const deletion = { password: "password", understood: true } as const;
const newEmail = { email: "a@example.org", password: "password" };
const digits = { verificationCode: "123456" };
const code = { token: "t", verificationCode: "123456" };
const smartAccount = { machineOwner: "0x1", nonce: "2", signature: "0x3" };

const silence = { afterHours: 3, tellsReturn: true } as const;

/** Every row of the product specification's table of calls, section 7. */
const CALLS: [row: string, call: (api: ApiClient) => Promise<unknown>, payload?: unknown][] = [
  ["POST /api/login", (api) => api.auth.login(logIn), logIn],
  ["POST /api/auth/signup", (api) => api.auth.signUp(logIn), logIn],
  ["POST /api/auth/verify", (api) => api.auth.verify({ token: "t" }), { token: "t" }],
  ["POST /api/auth/resend-verification", (api) => api.auth.resendVerification("t"), { token: "t" }],
  ["POST /api/auth/forgot-password", (api) => api.auth.forgotPassword(logIn), logIn],
  ["POST /api/auth/resend-password-reset", (api) => api.auth.resendPasswordReset("t"), { token: "t" }],
  ["POST /api/auth/open-recovery", (api) => api.auth.openRecovery("t"), { token: "t" }],
  ["POST /api/auth/reset-password", (api) => api.auth.resetPassword(reset), reset],
  ["POST /api/auth/logout", (api) => api.sessions.logout()],
  ["GET /api/auth/sessions", (api) => api.sessions.list()],
  ["DELETE /api/auth/sessions/a%2Fb", (api) => api.sessions.revoke("a/b")],
  ["POST /api/auth/sessions/revoke-others", (api) => api.sessions.revokeOthers()],
  ["GET /api/auth/security-activity?page=1&limit=10", (api) => api.sessions.activity({ page: 1, limit: 10 })],
  ["POST /api/auth/account-deletion", (api) => api.account.requestDeletion(deletion), deletion],
  ["POST /api/auth/keep-account", (api) => api.account.keep()],
  ["GET /api/users/data-export", async (api) => (await api.account.exportData()).json()],
  ["POST /api/auth/change-password", (api) => api.sessions.changePassword(change), change],
  ["GET /api/auth/email-change", (api) => api.emailChange.read()],
  ["POST /api/auth/email-change", (api) => api.emailChange.request(newEmail), newEmail],
  ["POST /api/auth/email-change/resend", (api) => api.emailChange.resend()],
  ["POST /api/auth/email-change/verify", (api) => api.emailChange.verify(digits), digits],
  ["GET /api/auth/campaign", (api) => api.campaignMail.read()],
  ["POST /api/auth/campaign/send", (api) => api.campaignMail.send("a@example.org"), { email: "a@example.org" }],
  ["POST /api/auth/campaign/verify", (api) => api.campaignMail.verify(code), code],
  ["POST /api/auth/campaign/subscription", (api) => api.campaignMail.subscribe(false), { subscribed: false }],
  ["GET /api/auth/bot-check", (api) => api.auth.issueBotCheck()],
  ["GET /api/user", (api) => api.users.me()],
  ["GET /api/users/stats", (api) => api.users.stats()],
  ["GET /api/users/is-whitelisted", (api) => api.users.isWhitelisted()],
  ["GET /api/users/istosaccepted", (api) => api.legal.termsStatus()],
  ["POST /api/users/accept-tos", (api) => api.legal.acceptTerms()],
  ["GET /api/users/isppaccepted", (api) => api.legal.privacyStatus()],
  ["POST /api/users/accept-pp", (api) => api.legal.acceptPrivacy()],
  ["GET /api/legal/documents?document=tos", (api) => api.legal.document({ document: "tos" })],
  ["GET /api/users/user-onboarded", (api) => api.users.isOnboarded()],
  ["POST /api/users/onboard", (api) => api.users.onboard("u1"), { userId: "u1" }],
  ["GET /api/points/rules", (api) => api.points.rules()],
  ["GET /api/users/points-history?range=last7days", (api) => api.points.history("last7days")],
  [
    "GET /api/users/points-log?page=2&limit=10&category=Rewards&startDate=2026-11-01&endDate=2026-11-20",
    (api) =>
      api.points.log({ page: 2, limit: 10, category: "Rewards", startDate: "2026-11-01", endDate: "2026-11-20" }),
  ],
  ["GET /api/users/points-log?page=1&limit=10", (api) => api.points.log({ page: 1, limit: 10 })],
  ["GET /api/users/content-points-history?page=1&limit=5", (api) => api.points.content({ page: 1, limit: 5 })],
  ["GET /api/users/data-stats", (api) => api.users.dataStats()],
  ["GET /api/jobs/daily-stats?days=7", (api) => api.insights.daily(7)],
  ["GET /api/jobs/global-stats?days=7", (api) => api.insights.network(7)],
  ["GET /api/users/referrals-paginated?page=1&limit=25", (api) => api.referrals.page({ page: 1, limit: 25 })],
  ["GET /api/users/smart-id-requirements", (api) => api.machineId.requirements()],
  ["POST /api/users/link-wallet", (api) => api.wallet.link(signature), signature],
  ["GET /api/users/wallet-change-eligibility", (api) => api.wallet.changeEligibility()],
  ["POST /api/users/change-wallet", (api) => api.wallet.change(signature), signature],
  ["GET /api/wallet/nonce?address=0x1&purpose=link", (api) => api.wallet.message({ address: "0x1", purpose: "link" })],
  ["GET /api/wallet/detect?address=0x1", (api) => api.wallet.detect("0x1")],
  ["GET /submissions/campaigns", (api) => api.rewards.submissions()],
  ["GET /api/campaigns/heartbeat/status", (api) => api.rewards.heartbeatStatus()],
  ["POST /api/campaigns/a%2Fb/claim", (api) => api.rewards.claim("a/b")],
  ["GET /api/heartbeats/devices", (api) => api.devices.list()],
  ["GET /api/heartbeats/uptime?range=last24hours", (api) => api.node.uptime("last24hours")],
  ["GET /api/heartbeats/refused?limit=20", (api) => api.node.refusedBeats(20)],
  ["GET /api/heartbeats/silence-mail", (api) => api.node.silenceMail()],
  ["POST /api/heartbeats/silence-mail", (api) => api.node.setSilenceMail(silence), silence],
  ["POST /api/heartbeats/silence-mail/unsubscribe", (api) => api.node.unsubscribe("c"), { code: "c" }],
  ["GET /api/peaq/did-status", (api) => api.machineId.status()],
  ["GET /api/peaq/machine-identity", (api) => api.machineId.identity()],
  ["GET /api/users/points-log/a%2Fb", (api) => api.points.detail("a/b")],
  ["GET /api/peaq/smart-account-exists", (api) => api.machineId.smartAccount()],
  ["GET /api/peaq/smart-account-consent", (api) => api.machineId.smartAccountConsent()],
  ["GET /api/peaq/timeline", (api) => api.machineId.timeline()],
  ["POST /api/peaq/request-did", (api) => api.machineId.request()],
  [
    "POST /api/peaq/update-did-signature",
    (api) => api.machineId.updateSignature("0x9"),
    { machineOwnerSignature: "0x9" },
  ],
  ["GET /api/node-pass", (api) => api.nodePass.read()],
  ["POST /api/peaq/create-smart-account", (api) => api.machineId.createSmartAccount(smartAccount), smartAccount],
];

// specification: 3.53, 6.3, 7.1, 7.2, 7.7, 7.9, 7.10, 7.11, 7.12, 7.14, 7.15, 7.16, 7.17, 7.18, 7.20, 7.21, 7.22, 7.23, 7.24, 7.25, 7.26, 7.27, 7.28, 7.29, 7.30, 7.31, 7.32, 7.33, 7.34, 7.35, 7.36, 7.44
test.for(CALLS)("%s", async ([row, call, payload]) => {
  const result = await call(createClient());

  const [request] = backend.requests;
  if (!request) throw new Error("Nothing was asked");
  const { pathname, search, origin } = new URL(request.url);
  expect(`${request.method} ${pathname}${search}`).toBe(row);
  expect(await request.text()).toBe(payload === undefined ? "" : JSON.stringify(payload));

  const isAuth = /^\/api\/(?:login|auth\/)/.test(pathname);
  expect(origin).toBe(isAuth ? AUTH_URL : MAIN_URL);
  expect(request.headers.get("x-api-key")).toBe(isAuth ? "static-key" : null);
  const path = decodeURIComponent(pathname).replace("/a/b", "/{id}");
  const sample = SAMPLES.find(({ endpoint }) => endpoint.method === request.method && endpoint.path === path);
  const isAnonymous = sample?.endpoint.access === "anyone";
  expect(request.headers.get("authorization")).toBe(isAnonymous ? null : "Bearer secret-token");

  expect(result).toEqual(sample?.response);
  expect(log.error).not.toHaveBeenCalled();
});

test("every sample response has a call in the table", () => {
  const paths = new Set(CALLS.map(([row]) => decodeURIComponent(row.split(/[ ?]/)[1] ?? "").replace("/a/b", "/{id}")));
  expect(SAMPLES.map(({ endpoint }) => endpoint.path).filter((path) => !paths.has(path))).toEqual([]);
});

const SOURCES = import.meta.glob<string>(["../**/*.{ts,tsx}", "!../**/*.test.*", "!./*"], {
  query: "?raw",
  import: "default",
  eager: true,
});

const listCalls = (client: object): string[] =>
  Object.entries(client).flatMap(([name, its]: [string, object]) =>
    typeof its === "function" ? [name] : listCalls(its).map((call) => `${name}.${call}`),
  );

test("the application makes every call that the client has", () => {
  const source = Object.values(SOURCES).join("\n");
  // The form's address says which of the two it is.
  const byName = source.includes(".wallet[purpose](") ? ["wallet.link", "wallet.change"] : [];
  const calls = listCalls(createClient());
  expect(calls.length).toBeGreaterThan(50);
  // The pages of administrators receive their part of the client as `api`.
  const isMade = (call: string) =>
    [call, call.replace(/^administration\b/, "api")].some((name) => source.includes(`${name}(`));
  expect(calls.filter((call) => !isMade(call) && !byName.includes(call))).toEqual([]);
});

test("sends auth calls to the main address if no auth address is set", async () => {
  backend.server.use(handle({ ...issueBotCheck, service: "main" }, () => Response.json({ turnstileToken: "t" })));
  expect(await createClient({ authApiUrl: undefined }).auth.issueBotCheck()).toEqual({
    turnstileToken: "t",
  });
});

test("keeps the path in the backend's base URL", async () => {
  const fetch = vi.fn<(request: Request) => Promise<Response>>(async () => Response.json({ success: true }));
  const transport = { baseUrl: "https://host.test/backend/", headers: {}, fetch, fetchStream: fetch };
  await createApiClient({ main: transport, auth: transport, accessToken: "t", log, installation }).users.isOnboarded();
  expect(fetch.mock.calls[0]?.[0].url).toBe("https://host.test/backend/api/users/user-onboarded");
});
