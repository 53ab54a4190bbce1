import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { startApp, type RunningApp } from "../../tests/support/servers/start-app.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";

const database = await createTestDatabase();
const databaseUrl = database.pool.options.connectionString ?? "";
const running: RunningApp[] = [];
beforeEach(() => database.reset());
afterEach(async () => {
  await Promise.all(running.splice(0).map((app) => app.close()));
});
afterAll(() => database.close());

async function start(role: string) {
  const app = await startApp({
    databaseUrl,
    settings: { DATABASE_URL: databaseUrl, NODEBEAT_ROLE: role, METRICS_TOKEN: "of-the-metrics" },
  });
  running.push(app);
  return app;
}

/** Requests the mail that lets its reader choose a new password. */
async function forgetPassword(url: string, email: string) {
  const { turnstileToken } = await (await fetch(`${url}/api/auth/bot-check`)).json();
  const response = await fetch(`${url}/api/auth/forgot-password`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email, turnstileToken }),
  });
  expect(response.status).toBe(200);
}

test("the worker sends mail requested at a web process, and serves only health checks and metrics", async () => {
  const [web, worker] = await Promise.all([start("web"), start("worker")]);
  const members = await Promise.all([1, 2, 3].map(() => web.seed.member({})));
  for (const { email } of members) await forgetPassword(web.url, email);
  // Each process keeps its mail in its own folder.
  for (const { email } of members) expect(await worker.seed.mail(email)).toMatchObject({ to: email });

  const statusOf = async (path: string) => (await fetch(worker.url + path)).status;
  expect([await statusOf("/readyz"), await statusOf("/healthz")]).toEqual([200, 200]);
  expect([await statusOf("/auth"), await statusOf("/api/user"), await statusOf("/live")]).toEqual([404, 404, 404]);
  const metrics = await fetch(`${worker.url}/metrics`, { headers: { Authorization: "Bearer of-the-metrics" } });
  expect(await metrics.text()).toMatch(/^nodebeat_mail\w*\{[^}]*"sent"[^}]*\} 3$/m);
  expect((await fetch(`${web.url}/auth`)).status).toBe(200);
});
