import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createApiUnderTest } from "../tests/support/servers/app-under-test.ts";
import { startUnderTest } from "../tests/support/servers/listen-under-test.ts";
import { killStarted, startIndex } from "../tests/support/servers/start-index.ts";

afterEach(killStarted);

test("in front of another backend, production writes nothing to disk and needs no secret or mail", async () => {
  const folder = await mkdtemp(join(tmpdir(), "nodebeat-front-"));
  const api = createApiUnderTest();
  api.get("/api/user", (c) => c.json({ message: "Sign in first.", error: "UNAUTHENTICATED", statusCode: 401 }, 401));
  const backend = await startUnderTest({ api });
  try {
    const settings = { API_URL: backend.url, PUBLIC_URL: "http://localhost", PORT: "0", HOST: "127.0.0.1" };
    const { child, ended, says } = startIndex(folder, { ...settings, SHUTDOWN_GRACE_SECONDS: "0" });
    const url = await says(/(?<="url":")http[^"]+(?=".*"msg":"listening")/);
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: "ok" });
    expect(await (await fetch(`${url}/auth`)).text()).toContain("<!DOCTYPE html>");
    expect((await fetch(`${url}/api/user`)).status).toBe(401);
    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
    expect(await readdir(folder)).toEqual([]);
  } finally {
    await backend.drain(0);
    await rm(folder, { recursive: true });
  }
});
