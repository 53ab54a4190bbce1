import { Hono } from "hono";
import { afterEach, expect, test } from "vitest";
import { createApiUnderTest } from "../../tests/support/servers/app-under-test.ts";
import { startUnderTest } from "../../tests/support/servers/listen-under-test.ts";
import { createBackendCheck } from "./check-backend.ts";
import type { HttpEnv } from "./http-env.ts";

const open: Awaited<ReturnType<typeof startUnderTest>>[] = [];
afterEach(() => Promise.all(open.splice(0).map(({ drain }) => drain(0))));

/** Starts a backend that reports that it is ready, and accepts one key. */
async function startBackend(options: Parameters<typeof startUnderTest>[0] = {}) {
  const api = createApiUnderTest();
  api.get("/api/auth/bot-check", (c) =>
    c.req.header("x-api-key") === "the-key"
      ? c.json({})
      : c.json({ message: "No", error: "INVALID_API_KEY", statusCode: 401 }, 401),
  );
  const backend = await startUnderTest({ api, ...options });
  open.push(backend);
  return backend;
}

const fine = async () => ({ ok: true }) as const;
const never = () => new Promise<never>(() => {});
const refused = (reason: string) => ({ ok: false, reason });

test("a backend passes the check if it answers, is ready and accepts our key", async () => {
  const { url } = await startBackend();
  expect(await createBackendCheck({ apiUrl: url, authApiKey: "the-key" })()).toEqual({ ok: true });
  expect(await createBackendCheck({ apiUrl: `${url}/`, authApiKey: "the-key" })()).toEqual({ ok: true });
  const refusal = refused("The API for authentication refuses AUTH_API_KEY.");
  expect(await createBackendCheck({ apiUrl: url, authApiKey: "another" })()).toEqual(refusal);
  expect(await createBackendCheck({ apiUrl: url })()).toEqual(refusal);
});

test("checks each backend at its own address, and names the first that does not answer", async () => {
  const [main, auth] = await Promise.all([startBackend(), startBackend()]);
  const check = createBackendCheck({ apiUrl: main.url, authApiUrl: auth.url, authApiKey: "the-key" });
  expect(await check()).toEqual({ ok: true });
  await auth.drain(0);
  expect(await check()).toEqual(refused("The API for authentication does not answer."));
  await main.drain(0);
  expect(await check()).toEqual(refused("The API does not answer."));
});

test("a backend that reports that it is not ready fails the check", async () => {
  const { url } = await startBackend({
    health: { reason: "database", check: fine, checkChain: fine, isLeaving: () => true },
  });
  expect(await createBackendCheck({ apiUrl: url, authApiKey: "the-key" })()).toEqual(refused("The API answers 503."));
});

test("a backend whose calls answer 500 fails the check", async () => {
  const api = createApiUnderTest();
  api.get("/api/auth/bot-check", (c) => c.text("", 500));
  const { url } = await startBackend({ api });
  expect(await createBackendCheck({ apiUrl: url })()).toEqual(refused("The API for authentication answers 500."));
});

test("a backend without the checked routes passes the check, whatever its 404 says", async () => {
  const api = createApiUnderTest();
  api.all("*", (c) => c.text('{"error":"INVALID_API_KEY', 404));
  const { url } = await startBackend({ api });
  expect(await createBackendCheck({ apiUrl: url })()).toEqual({ ok: true });
});

test.each([302, 501])(
  "a backend that answers %d to unknown routes passes the check; no redirect is followed",
  async (status) => {
    const elsewhere = await startBackend();
    const share = new Hono<HttpEnv>();
    share.all("*", () => new Response(null, { status, headers: { Location: `${elsewhere.url}/login` } }));
    const { url } = await startBackend({ share });
    expect(await createBackendCheck({ apiUrl: url, authApiKey: "the-key" })()).toEqual({ ok: true });
    expect(elsewhere.logged()).toEqual([]);
  },
);

test("a backend that redirects to another address fails the check: redirects are not followed", async () => {
  const share = new Hono<HttpEnv>();
  share.all("*", (c) => c.redirect(`https://api.example.com${c.req.path}`, 308));
  const { url } = await startBackend({ share });
  const moved = refused("The API redirects to another address, and redirects are not followed.");
  expect(await createBackendCheck({ apiUrl: url })()).toEqual(moved);
});

test("concurrent checks send only one request to the backend", async () => {
  let asked = 0;
  const api = createApiUnderTest();
  api.get("/api/auth/bot-check", (c) => c.json({ asked: (asked += 1) }));
  const { url } = await startBackend({ api });
  const check = createBackendCheck({ apiUrl: url });
  const fineForAll = [{ ok: true }, { ok: true }, { ok: true }];
  expect(await Promise.all([check(), check(), check()])).toEqual(fineForAll);
  expect(asked).toBe(1);
  expect([await check(), asked]).toEqual([{ ok: true }, 2]);
});

test("a backend that does not answer in time fails the check", async () => {
  const { url } = await startBackend({
    health: { reason: "database", check: never, checkChain: never, isLeaving: () => false },
  });
  expect(await createBackendCheck({ apiUrl: url }, 20)()).toEqual(refused("The API does not answer."));
});

test("a backend whose response is too long fails the check", async () => {
  const api = createApiUnderTest();
  api.get("/api/auth/bot-check", (c) => c.text("x".repeat(5 * 1024 * 1024)));
  const { url } = await startBackend({ api });
  expect(await createBackendCheck({ apiUrl: url })()).toEqual(refused("The API for authentication does not answer."));
});
