import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { handle, AUTH_URL, createMswBackend, MAIN_URL } from "../../tests/support/samples/msw-backend.ts";
import { importCompletions } from "../../server/campaigns/contract.ts";
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

test("an answer that breaks its contract at every entry is logged in one short line", async () => {
  backend.server.use(handle(readSubmissions, () => Response.json(Array.from({ length: 20_000 }, () => 0))));
  await createClient().rewards.submissions();
  expect(log.error).toHaveBeenCalledOnce();
  const [details] = log.error.mock.calls[0] ?? [];
  expect(details).toMatchObject({ count: 20_000 });
  expect(JSON.stringify(details).length).toBeLessThan(10_000);
});

test.each([
  ["a long list", "0,".repeat(100_000)],
  ["lists in lists", "[],".repeat(100_000)],
  ["very deep lists", `${"[".repeat(100_000)}${"]".repeat(100_000)},`],
])("an answer with more entries than a page can use counts as no answer: %s", async (_, entries) => {
  backend.server.use(handle(readSubmissions, () => new Response(`[${entries}0]`)));
  await expect(createClient().rewards.submissions()).rejects.toMatchObject({ code: "NETWORK_ERROR", status: 500 });
  expect(log.error).not.toHaveBeenCalled();
});

test("the results for each line of a long file are no more than a page can use", async () => {
  const lines = Array.from({ length: 60_000 }, (_, line) => ({ line: line + 1, result: "unknown-member" }));
  backend.server.use(handle(importCompletions, () => Response.json({ recorded: 0, lines })));
  const file = { format: "csv", text: "member", reason: "A survey" } as const;
  expect((await createClient().administration.campaigns.importCompletions(file)).lines).toHaveLength(60_000);
});
