import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { handle, AUTH_URL, createMswBackend, MAIN_URL } from "../../tests/support/samples/msw-backend.ts";
import { SAMPLE_USER } from "../../tests/support/samples/samples.ts";
import { login } from "../../server/auth/contract.ts";
import { revokeDevice } from "../../server/heartbeats/contract.ts";
import { acceptPrivacy, acceptTerms, readTermsStatus } from "../../server/legal/contract.ts";
import { requestMachineId, updateMachineIdSignature } from "../../server/machine-id/contract.ts";
import { onboard, readOnboarded } from "../../server/onboarding/contract.ts";
import { exportPointsLog, readPointsHistory, readStats } from "../../server/points/contract.ts";
import { readUser } from "../../server/profile/contract.ts";
import { claimReferral } from "../../server/referrals/contract.ts";
import { claimReward } from "../../server/rewards/contract.ts";
import { revokeSession } from "../../server/sessions/contract.ts";
import { changeWallet, linkWallet, readWalletChangeEligibility } from "../../server/wallet/contract.ts";
import { ApiError } from "./api-error.ts";
import { createApiClient, type ApiClient } from "../client/client.ts";
import { openTransports } from "./transport.ts";

const backend = createMswBackend();
const log = { error: vi.fn<(details: object, message: string) => void>() };
const embedded = { fetch: () => Promise.reject(new Error("not over HTTP")) };
const client = { address: "203.0.113.7", userAgent: "a browser", deviceToken: undefined, requestId: "request-1" };
const settings = { embedded, apiUrl: MAIN_URL, authApiUrl: AUTH_URL, client };

beforeAll(() => backend.listen());
afterEach(() => {
  backend.reset();
  log.error.mockClear();
});
afterAll(() => backend.close());

const installation = { origin: "https://nodebeat.test", contracts: { version: "1" } };
const createClient = (accessToken = "secret-token") =>
  createApiClient({ ...openTransports(settings), accessToken, log, installation });

const signature = { address: "0x1", signature: "0x2", message: "I link" };
const logIn = { email: "ana@example.org", password: "password", turnstileToken: "t" };
const smartAccount = { machineOwner: "0x1", nonce: "2", signature: "0x3" };

// specification: 5.20, 5.22, 6.4, 8.6, 8.7
test.each<[(api: ApiClient) => Promise<unknown>, string]>([
  [(api) => api.users.dataStats(), "No access token provided"],
  [(api) => api.points.log({ page: 1, limit: 10 }), "No access token provided"],
  [(api) => api.points.history("last7days"), "No access token provided"],
  [(api) => api.points.exportLog({}), "No access token provided"],
  [(api) => api.users.me(), "No access token provided"],
  [(api) => api.wallet.changeEligibility(), "You must be logged in to check wallet change eligibility"],
  [(api) => api.wallet.link(signature), "You must be logged in to link a wallet"],
  [(api) => api.machineId.request(), "You must be logged in to create a Machine ID"],
  [(api) => api.machineId.createSmartAccount(smartAccount), "You must be logged in to create a Machine ID"],
])("sends no request without an access token: %s", async (call, message) => {
  await expect(call(createClient(""))).rejects.toMatchObject({
    name: "ApiError",
    message,
    code: "UNAUTHENTICATED",
    status: 401,
  });
  expect(backend.requests).toEqual([]);
});

// specification: 5.23, 8.10
test("uses a response that breaks its contract unchanged, and logs where it breaks but not its values", async () => {
  const broken = { user_id: "u1", heartbeats: "secret@example.org" };
  backend.server.use(handle(readStats, () => Response.json(broken)));

  expect(await createClient().users.stats()).toEqual(broken);

  expect(log.error).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ endpoint: "GET /api/users/stats" }),
    "Parsed error",
  );
  const [details] = log.error.mock.calls[0] ?? [];
  expect(details).toMatchObject({ issues: expect.arrayContaining([expect.objectContaining({ path: "heartbeats" })]) });
  expect(JSON.stringify(details)).not.toContain("secret@example.org");
});

// specification: 3.45
test("accepts a points history without its optional fields", async () => {
  backend.server.use(handle(readPointsHistory, () => Response.json({ history: { data: [] } })));
  expect(await createClient().points.history("last7days")).toEqual({ history: { data: [] } });
});

// specification: 4.17, 5.25
test.each([() => Response.json({ accepted: 1 }), () => new Response("<html>"), () => Response.json(null)])(
  "a terms status that fails to parse counts as not accepted, %#",
  async (respond) => {
    backend.server.use(handle(readTermsStatus, respond));
    expect(await createClient().legal.termsStatus()).toEqual({ istosAccepted: false });
    expect(log.error).toHaveBeenCalledExactlyOnceWith(expect.anything(), "Parsed error");
  },
);

// specification: 5.25
test.each([() => Response.json({ ok: true }), () => new Response("OK")])(
  "accepting the terms fails if the response fails to parse, %#",
  async (respond) => {
    backend.server.use(handle(acceptTerms, respond));
    expect(await createClient().legal.acceptTerms()).toEqual({ success: false, message: "Failed to parse response" });
    expect(log.error).toHaveBeenCalledExactlyOnceWith(expect.anything(), "Parsed error");
  },
);

test("reports a response that is not JSON as an unknown error", async () => {
  backend.server.use(handle(readUser, () => new Response("<html>")));
  await expect(createClient().users.me()).rejects.toMatchObject({
    name: "ApiError",
    message: "Something went wrong, please try again!",
    code: "UNKNOWN_ERROR",
    status: 500,
  });
});

test("reports an unreachable backend as a network error", async () => {
  backend.server.use(handle(readUser, () => Response.error()));
  await expect(createClient().users.me()).rejects.toMatchObject({
    name: "ApiError",
    code: "NETWORK_ERROR",
    status: 500,
  });
});

test("does not follow a redirect", async () => {
  backend.server.use(handle(readUser, () => Response.redirect("http://elsewhere.test/", 307)));
  await expect(createClient().users.me()).rejects.toMatchObject({ code: "NETWORK_ERROR" });
});

test("gives up on a backend that does not respond within ten seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  try {
    const timeOut = vi.spyOn(AbortSignal, "timeout").mockImplementation((milliseconds) => {
      const controller = new AbortController();
      setTimeout(
        () => controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError")),
        milliseconds,
      );
      return controller.signal;
    });
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    backend.server.use(
      handle(readUser, () => {
        ask();
        return new Promise<Response>(() => undefined);
      }),
    );
    const outcome = createClient()
      .users.me()
      .catch((error: unknown) => error);
    await asked;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await outcome).toMatchObject({
      code: "NETWORK_ERROR",
      message: "The operation was aborted due to timeout",
    });
    expect(timeOut).toHaveBeenCalledWith(10_000);
  } finally {
    vi.useRealTimers();
    vi.restoreAllMocks();
  }
});

test("gives up on a file that does not begin within ten seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    backend.server.use(
      handle(exportPointsLog, () => {
        ask();
        return new Promise<Response>(() => undefined);
      }),
    );
    const outcome = createClient()
      .points.exportLog({})
      .catch((error: unknown) => error);
    await asked;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await outcome).toMatchObject({ name: "ApiError", code: "NETWORK_ERROR" });
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ["a gateway's page", () => new Response("<h1>Back soon</h1>", { headers: { "Content-Type": "text/html" } })],
  ["nothing", () => new Response(null, { status: 204 })],
])("fails if the response is %s instead of the requested file", async (_, respond) => {
  backend.server.use(handle(exportPointsLog, respond));
  await expect(createClient().points.exportLog({})).rejects.toMatchObject({ name: "ApiError", status: 502 });
});

// specification: 7.26, 8.8
test("a failed wallet check rejects with the server's message, or with ours if it has none", async () => {
  backend.server.use(
    handle(readWalletChangeEligibility, () =>
      Response.json({ message: "Changed once already", error: "CONFLICT" }, { status: 409 }),
    ),
  );
  await expect(createClient().wallet.changeEligibility()).rejects.toMatchObject({
    message: "Changed once already",
    status: 409,
  });

  for (const respond of [
    () => Response.json({}, { status: 500 }),
    () => new Response("", { status: 502 }),
    () => Response.error(),
  ]) {
    backend.server.use(handle(readWalletChangeEligibility, respond));
    await expect(createClient().wallet.changeEligibility()).rejects.toMatchObject({
      name: "ApiError",
      message: "Failed to check wallet change eligibility",
    });
  }
});

const down = () => Response.json({ message: "Busy", error: "UNAVAILABLE" }, { status: 503 });

// specification: 7.8, 7.19, 9.20, 9.22, 9.32
test.for([
  { call: (api: ApiClient) => api.auth.login(logIn), endpoint: login, retries: 0 },
  { call: (api: ApiClient) => api.users.onboard("u1"), endpoint: onboard, retries: 0 },
  { call: (api: ApiClient) => api.machineId.request(), endpoint: requestMachineId, retries: 1 },
  { call: (api: ApiClient) => api.machineId.updateSignature("0x"), endpoint: updateMachineIdSignature, retries: 0 },
  { call: (api: ApiClient) => api.legal.acceptTerms(), endpoint: acceptTerms, retries: 1 },
  { call: (api: ApiClient) => api.rewards.claim("c1"), endpoint: claimReward, retries: 1 },
  { call: (api: ApiClient) => api.referrals.claim("r1"), endpoint: claimReferral, retries: 1 },
  { call: (api: ApiClient) => api.devices.revoke("d1"), endpoint: revokeDevice, retries: 1 },
  { call: (api: ApiClient) => api.sessions.revoke("s1"), endpoint: revokeSession, retries: 1 },
])("retries $endpoint.path $retries times", async ({ call, endpoint, retries }) => {
  backend.server.use(
    handle(endpoint, down),
    handle(readOnboarded, () => Response.json({ success: false })),
  );
  await expect(call(createClient())).rejects.toMatchObject({ code: "UNAVAILABLE" });
  // Only reads follow: they find out whether the write was done all the same.
  expect(backend.requests.filter(({ method }) => method !== "GET")).toHaveLength(1 + retries);
});

// specification: 8.14
test("does not retry a refused write, and succeeds if the retry of an unavailable one does", async () => {
  backend.server.use(
    handle(claimReward, () => Response.json({ message: "Claimed", error: "CONFLICT" }, { status: 409 })),
  );
  await expect(createClient().rewards.claim("c1")).rejects.toBeInstanceOf(ApiError);
  expect(backend.requests).toHaveLength(1);

  const answers = [down(), Response.json({ success: true, message: "Done" })];
  backend.server.use(handle(claimReward, () => answers.shift() ?? down()));
  expect(await createClient().rewards.claim("c1")).toEqual({ success: true, message: "Done" });
});

test.for([
  { call: (api: ApiClient) => api.rewards.claim("c1"), endpoint: claimReward, status: 204 },
  { call: (api: ApiClient) => api.wallet.change(signature), endpoint: changeWallet, status: 200 },
  { call: (api: ApiClient) => api.users.onboard("u1"), endpoint: onboard, status: 201 },
  { call: (api: ApiClient) => api.legal.acceptPrivacy(), endpoint: acceptPrivacy, status: 202 },
])("$endpoint.path succeeds if the response is an empty $status, and is not retried", async (write) => {
  backend.server.use(handle(write.endpoint, () => new Response(null, { status: write.status })));
  await write.call(createClient());
  expect(backend.requests).toHaveLength(1);
});

test("if a retry is refused with status 200, a read decides whether the first attempt succeeded", async () => {
  for (const [address, success] of [[SAMPLE_USER.wallet, true] as const, ["0x1", false] as const]) {
    const answers = [down(), Response.json({ success: false, message: "A wallet is linked already." })];
    backend.server.use(handle(linkWallet, () => answers.shift() ?? down()));
    expect(await createClient().wallet.link({ ...signature, address })).toMatchObject({ success });
  }
});
