import { expect, test } from "vitest";
import { createLog } from "../../log/log.ts";
import { createApiUnderTest, createAppUnderTest } from "../../../tests/support/servers/app-under-test.ts";

const requests = (lines: Record<string, unknown>[]) => lines.filter(({ msg }) => msg === "request");

test("logs a line per request with method, path, status, duration and the id sent to the client", async () => {
  const { app, logged } = createAppUnderTest();
  const response = await app.request("/auth");
  const lines = requests(logged());
  expect(lines).toEqual([
    expect.objectContaining({ level: "info", method: "GET", path: "/auth", status: 200, ms: expect.any(Number) }),
  ]);
  expect(lines[0]?.requestId).toBe(response.headers.get("X-Request-Id"));
});

test("never logs query values, cookies, tokens or email addresses, whatever fails", async () => {
  const planted = "PlantedSecret";
  const api = createApiUnderTest();
  api.post("/api/login", async (c) => {
    throw new Error(`login of grace@nodebeat.test failed for Bearer ${planted}`, {
      cause: { body: await c.req.json() },
    });
  });
  const lines: string[] = [];
  const log = createLog({ level: "trace", destination: { write: (line) => void lines.push(line) } });
  const { app } = createAppUnderTest({ api, log });
  const headers = {
    cookie: `session=${planted}`,
    authorization: `Bearer ${planted}`,
    "content-type": "application/json",
  };
  await app.request(`/auth/reset?token=${planted}&email=grace%40nodebeat.test&token=2`, { headers });
  await app.request("/api/login", {
    method: "POST",
    headers,
    body: JSON.stringify({ email: "grace@nodebeat.test", password: planted }),
  });

  const text = lines.join("");
  expect(text).not.toContain(planted);
  expect(text).not.toContain("grace");
  expect(text).toContain(`"path":"/auth/reset?token&email"`);
  expect(text).toContain("login of [email] failed");
});

test("logs health checks at debug level", async () => {
  const { app, logged } = createAppUnderTest();
  await app.request("/healthz");
  expect(requests(logged())[0]?.level).toBe("debug");
});

test("truncates a long path", async () => {
  const { app, logged } = createAppUnderTest();
  await app.request(`/${"a".repeat(5000)}?${"b".repeat(2000)}=1`);
  expect(String(requests(logged())[0]?.path)).toHaveLength(512);
});
