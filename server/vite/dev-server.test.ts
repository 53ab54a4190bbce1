import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { BARE_ENV } from "../../tests/support/servers/bare-env.ts";
import { findFreePort } from "../../tests/support/servers/free-port.ts";
import { createMemberFolder } from "../../tests/support/seeds/member-folder.ts";
import { QUICK_ENGINE } from "../../tests/support/servers/quick-engine.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const cli = join(root, "node_modules/@react-router/dev/bin.cjs");

test("the development server answers with the same pages, API, headers and errors", async () => {
  const dataDir = await createMemberFolder();
  const port = await findFreePort();
  const env = {
    ...BARE_ENV,
    PORT: String(port),
    DATA_DIR: dataDir,
    NODE_OPTIONS: "--conditions=development",
  };
  const child = spawn(process.execPath, [...QUICK_ENGINE, cli, "dev", "--host", "127.0.0.1", "--strictPort"], {
    cwd: root,
    env,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  while (!output.includes("Local:") && child.exitCode === null) await once(child.stdout, "data");

  try {
    const url = `http://127.0.0.1:${port}`;
    const page = await fetch(`${url}/auth`);
    const text = await page.text();
    const nonce = /'nonce-([^']+)'/.exec(page.headers.get("Content-Security-Policy") ?? "")?.[1];
    expect([page.status, nonce && text.includes(`nonce="${nonce}"`)]).toEqual([200, true]);
    expect(text).toContain("/app/entry.client.tsx");

    const call = await fetch(`${url}/api/nothing`);
    expect([call.status, await call.json()]).toEqual([404, expect.objectContaining({ error: "NOT_FOUND" })]);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await fetch(`${url}/app/entry.client.tsx`)).headers.get("Content-Type")).toBe("text/javascript");
    expect((await fetch(`${url}/missing.js`)).status).toBe(404);
  } finally {
    child.kill("SIGTERM");
    await once(child, "close");
    await rm(dataDir, { recursive: true });
  }
});
