import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { createTestApi, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { tokenOf, waitForMail } from "../../tests/support/api/mailbox.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { signUp, verify } from "../auth/contract.ts";
import { startBackground } from "../boot/background.ts";
import { backgroundJobs } from "../db/schema.ts";
import { createLog } from "../log/log.ts";

const database = await createTestDatabase();
const url = "http://127.0.0.1:3000";
let dataDir: string;
let stop: (() => Promise<void>) | undefined;
const lines: string[] = [];
const log = createLog({ level: "info", destination: { write: (line) => void lines.push(line) } });

beforeEach(async () => {
  lines.length = 0;
  dataDir = await mkdtemp(join(tmpdir(), "nodebeat-mail-"));
  await database.reset();
});
afterEach(async () => {
  await stop?.();
  stop = undefined;
  await rm(dataDir, { recursive: true });
});
afterAll(() => database.close());

/** Opens an API whose bot check lets everybody through: these tests are about what comes after it. */
const openApi = (env: object = {}) =>
  createTestApi(database, {
    env: { dataDir, ...env },
    log,
    botCheck: { issue: () => ({ turnstileToken: "" }), verify: async () => {} },
  });

const countMail = () => database.db.$count(backgroundJobs, eq(backgroundJobs.kind, "mail"));

const body = { email: "ada@nodebeat.test", password: TEST_PASSWORD, turnstileToken: "x" };

test("a demo writes each email to a file only its owner can read, and logs no code and no link", async () => {
  const api = openApi();
  stop = startBackground(api.deps, { url, alone: false });

  const { signupToken } = await api.read(signUp, { body });
  const mail = await waitForMail(join(dataDir, "mail"), "ada@nodebeat.test");

  expect(mail).toMatchObject({ subject: "Confirm your email", code: expect.stringMatching(/^\d{6}$/) });
  expect(mail.link).toMatch(/^http:\/\/127\.0\.0\.1:3000\/auth\/verify\?code=nbv_[\w-]{43}$/);
  const [file = "", ...others] = await readdir(join(dataDir, "mail"));
  expect(others).toEqual([]);
  await expect.poll(() => lines.join("")).toContain(pathToFileURL(join(dataDir, "mail", file)).href);
  expect(lines.join("")).not.toContain(mail.code);
  expect(lines.join("")).not.toContain(tokenOf(mail));
  expect((await stat(join(dataDir, "mail", file))).mode & 0o777).toBe(0o600);
  expect(await api.call(verify, { body: { token: signupToken, verificationCode: mail.code } })).toMatchObject({
    status: 200,
  });
});

test("queued email is sent at startup, and stopping waits for an email that is being sent", async () => {
  const api = openApi();
  await api.read(signUp, { body });
  stop = startBackground(api.deps, { url, alone: false });
  await waitForMail(join(dataDir, "mail"), "ada@nodebeat.test");
  await stop();
  expect(await countMail()).toBe(0);
});

test("links lead to PUBLIC_URL if it is set", async () => {
  const api = openApi({ publicUrl: "https://nodebeat.example" });
  stop = startBackground(api.deps, { url, alone: false });
  await api.read(signUp, { body });
  const { link } = await waitForMail(join(dataDir, "mail"), "ada@nodebeat.test");
  expect(link).toMatch(/^https:\/\/nodebeat\.example\/auth\/verify\?code=/);
});

test("delivers no email if a remote auth backend is configured", async () => {
  const api = openApi({ authApiUrl: "https://auth.example" });
  await api.read(signUp, { body });
  stop = startBackground(api.deps, { url, alone: false });
  await stop();
  expect(await countMail()).toBe(1);
  expect(await readdir(dataDir)).toEqual([]);
});
