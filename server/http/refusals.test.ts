import { beforeEach, expect, test } from "vitest";
import { fillForm, seedMember } from "../../tests/support/api/api.ts";
import { createAppUnderTest } from "../../tests/support/servers/app-under-test.ts";
import { startUnderTest } from "../../tests/support/servers/listen-under-test.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { createApi } from "../api.ts";
import { changePassword, login, openRecovery } from "../auth/contract.ts";
import { createLog } from "../log/log.ts";
import { setWhitelisted } from "../whitelist/contract.ts";

const lines: string[] = [];
const log = createLog({ level: "info", destination: { write: (line) => void lines.push(line) } });
const { api, clock } = await openTestApi({ log });
const client = { clientAddress: "203.0.113.9" };

beforeEach(() => void (lines.length = 0));

const refused = () =>
  lines.map((line): Record<string, unknown> => JSON.parse(line)).filter(({ msg }) => msg === "refused");

test("logs a refused call with its route, network and member", async () => {
  const { token, user } = await seedMember(api.deps);
  const body = { emails: [user.email], whitelisted: true, reason: "I would like to" };
  await api.call(setWhitelisted, { token, body, ...client });
  const change = { currentPassword: "PlantedPassword", password: "another pass phrase" };
  await api.call(changePassword, { token, body: change, ...client });

  const asked = { level: "info", network: "203.0.113.0/24", time: expect.any(String) };
  expect(refused()).toEqual([
    expect.objectContaining({ ...asked, code: "FORBIDDEN", call: "POST /api/admin/whitelist" }),
    expect.objectContaining({
      ...asked,
      code: "VALIDATION_ERROR",
      fields: ["currentPassword"],
      call: "POST /api/auth/change-password",
      member: user.id,
    }),
  ]);
  expect(lines.join("")).not.toContain("PlantedPassword");
});

test("logs a wrong password, an invalid link and too many attempts, without what was sent", async () => {
  const turnstileToken = await fillForm(api, clock);
  const email = "planted@nodebeat.test";
  await api.call(login, { body: { email, password: "PlantedPassword", turnstileToken }, ...client });
  const token = `nbl_${"Planted".repeat(7)}`;
  for (let tries = 0; tries < 31; tries++) await api.call(openRecovery, { body: { token }, ...client });

  const codes = refused().map(({ code }) => code);
  expect([codes[0], codes[1], codes.at(-1)]).toEqual(["INVALID_CREDENTIALS", "EXPIRED", "TOO_MANY_ATTEMPTS"]);
  expect(lines.join("").toLowerCase()).not.toContain("planted");
});

test("logs a form from another site with its request id, and no refusal for a missing file", async () => {
  const { app, logged } = createAppUnderTest();
  const headers = { "Sec-Fetch-Site": "cross-site" };
  const response = await app.request("/auth", { method: "POST", headers });
  await app.request("/nothing.js");

  expect(logged().filter(({ msg }) => msg === "refused")).toEqual([
    expect.objectContaining({
      code: "FORBIDDEN",
      call: "POST /auth",
      requestId: response.headers.get("X-Request-Id"),
    }),
  ]);
});

test("logs a refused call with the client network that a trusted proxy names", async () => {
  const env = { trustedProxies: ["127.0.0.1"] };
  const { drain, logged, url } = await startUnderTest({ api: createApi(api.deps).http, env });
  await (await fetch(`${url}/api/user`, { headers: { "X-Forwarded-For": "203.0.113.9" } })).text();
  await drain(0);
  expect(logged().find(({ msg }) => msg === "refused")).toMatchObject({
    code: "UNAUTHENTICATED",
    call: "GET /api/user",
    network: "203.0.113.0/24",
  });
});

test("truncates a long address in the log, and leaves out its query", async () => {
  const { app, logged } = createAppUnderTest();
  const headers = { "Sec-Fetch-Site": "cross-site" };
  await app.request(`/${"a".repeat(5000)}?token=planted`, { method: "POST", headers });
  const line = logged().find(({ msg }) => msg === "refused");
  expect(line?.call).toBe(`POST /${"a".repeat(511)}`);
});

test("a line break in the request starts no new line in the log", async () => {
  const { app, logged } = createAppUnderTest();
  const forged = encodeURIComponent('\n{"level":"info","msg":"forged"}\u2028');
  await app.request(`/auth/${forged}?${forged}=1`, { method: "POST", headers: { "Sec-Fetch-Site": "cross-site" } });
  expect(logged().map(({ msg }) => msg)).toEqual(["refused", "request"]);
});
