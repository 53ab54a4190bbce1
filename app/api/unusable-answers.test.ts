import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { handle, AUTH_URL, createMswBackend, MAIN_URL } from "../../tests/support/samples/msw-backend.ts";
import { changePassword } from "../../server/auth/contract.ts";
import { updateProfile } from "../../server/profile/contract.ts";
import { claimReward, readSubmissions } from "../../server/rewards/contract.ts";
import { createApiClient, type ApiClient } from "../client/client.ts";
import { ApiError } from "./api-error.ts";
import { openTransports } from "./transport.ts";

/* Answers of another backend that are complete, but are not what their contract says. */

const backend = createMswBackend();
const log = { error: vi.fn<(details: object, message: string) => void>() };
const embedded = { fetch: () => Promise.reject(new Error("not over HTTP")) };
const client = { address: "203.0.113.7", userAgent: "a browser", deviceToken: undefined, requestId: "request-1" };
const settings = { embedded, apiUrl: MAIN_URL, authApiUrl: AUTH_URL, client };
const installation = { origin: "https://nodebeat.test", contracts: { version: "1" } };
const createClient = () =>
  createApiClient({ ...openTransports(settings), accessToken: "secret-token", log, installation });

beforeAll(() => backend.listen());
afterEach(() => {
  backend.reset();
  log.error.mockClear();
});
afterAll(() => backend.close());

const UNUSABLE = [
  () => new Response("OK"),
  () => new Response("<html>"),
  () => new Response(null, { status: 303, headers: { Location: "/done" } }),
];

const profile = {
  full_name: "Ana",
  username: "",
  discord_username: "",
  telegram_handle: "",
  x_handle: "",
  website: "",
  avatar_url: "",
};
const passwords = { currentPassword: "old password", password: "new password" };

const SENT_ONCE = [
  { name: "a claim", call: (api: ApiClient) => api.rewards.claim("c1"), endpoint: claimReward },
  { name: "a profile", call: (api: ApiClient) => api.users.update(profile), endpoint: updateProfile },
  { name: "a password", call: (api: ApiClient) => api.sessions.changePassword(passwords), endpoint: changePassword },
];
const countWrites = () => backend.requests.filter(({ method }) => method !== "GET").length;

test.for(SENT_ONCE)("$name is sent once and fails if the answer is unusable", async ({ call, endpoint }) => {
  for (const respond of UNUSABLE) {
    backend.server.use(handle(endpoint, respond));
    await expect(call(createClient())).rejects.toBeInstanceOf(ApiError);
  }
  expect(countWrites()).toBe(UNUSABLE.length);
});

test.for(SENT_ONCE)("$name is sent once and succeeds if the answer is blank", async ({ call, endpoint }) => {
  for (const body of ["", "\n"]) {
    backend.server.use(handle(endpoint, () => new Response(body)));
    await call(createClient());
  }
  expect(countWrites()).toBe(2);
});

test("a claim with an unusable answer succeeds if a read says that the points are the member's", async () => {
  const campaign = { campaignId: "c1", completed: true, claimable: false };
  backend.server.use(handle(readSubmissions, () => Response.json([campaign])));
  for (const respond of UNUSABLE) {
    backend.server.use(handle(claimReward, respond));
    expect(await createClient().rewards.claim("c1")).toMatchObject({ success: true });
  }
  expect(countWrites()).toBe(UNUSABLE.length);
});
