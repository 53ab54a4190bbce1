import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { createCredential } from "../secrets/credential.ts";
import { createWebhookSecret } from "../webhooks/signature.ts";
import { expect, test } from "vitest";
import { QUICK_EXIT } from "../../tests/support/servers/quick-engine.ts";
import { createLog } from "./log.ts";

function startLog() {
  const lines: string[] = [];
  const log = createLog({ level: "debug", destination: { write: (line) => void lines.push(line) } });
  return { log, text: () => lines.join(""), last: () => JSON.parse(lines.at(-1) ?? "") };
}

const planted = "S3cr3tV4lue";

test("redacts secret fields by name at any depth, in objects, arrays, headers and errors", () => {
  const { log, text } = startLog();
  const headers = new Headers({ Authorization: `Bearer ${planted}`, Cookie: `sid=${planted}`, Accept: "text/html" });
  log.info({ headers, body: { password: planted, nested: [{ accessToken: planted, key: planted }] } }, "in");
  log.info({ "set-cookie": [planted], signature: planted, verificationCode: planted, "x-api-key": planted }, "out");
  for (const name of ["privateKey", "clientSecret", "credentials", "jwt", "session", "bearer"])
    log.info({ settings: { [name]: planted } }, "at");
  log.error(Object.assign(new Error("failed"), { config: { headers: { authorization: planted } } }));
  log.error({ err: Object.assign(new Error("failed"), { cause: new Error("inner"), apiKey: planted }) }, "thrown");
  expect(text()).not.toContain(planted);
  expect(text()).toContain("text/html");
  expect(text()).toContain("inner");
});

test("redacts email addresses, bearer tokens, query values and credentials inside texts", () => {
  const { log, text } = startLog();
  log.info(`mail to ada.lovelace+beta@mail.example.org with Authorization: Bearer ${planted}`);
  log.info({ note: `Proxy-Authorization: Basic ${planted}` }, "asked");
  log.warn({ path: `/auth/reset?token=${planted}&email=ada%40example.org` }, "opened");
  // Each on its own, too: an email address swallows adjacent text that it cannot be told apart from.
  log.warn({ path: `/auth/verify?code=${planted}` }, "opened ada%40example.org");
  log.error(new Error(`connect postgres://app:${planted}@database:5432/nodebeat`));
  log.error(new Error(`connect postgres://app:${planted}@db.internal/nodebeat`));
  log.error(new Error(`Failed query: select 1 where id = $1\nparams: 2,a\nb,${planted}`));
  expect(text()).not.toContain(planted);
  expect(text()).not.toContain("lovelace");
  expect(text()).not.toContain("ada");
  expect(text()).toContain("select 1 where id = $1");
  expect(text()).toContain("log.test.ts");
});

test("redacts a session token, a device key or a webhook secret wherever it appears", () => {
  const { log, text } = startLog();
  const keys = [createCredential("session").token, createCredential("device").token, createWebhookSecret()];
  for (const key of keys) log.info({ path: `/api/${key}`, note: key }, `refused ${key}, and again "${key}"`);
  // A link that a mail program has damaged: nothing separates the token from the text around it.
  for (const key of keys) log.info({ path: `/auth/verify%3Fcode%3D${key}-and-more` }, "request");
  for (const key of keys) expect(text()).not.toContain(key.slice(4));
  expect(text()).toContain("refused [redacted]");
});

test("keeps the type of an error's summary, and redacts its secrets", () => {
  const { log, last } = startLog();
  log.error({ err: { type: "HttpRequestError", message: "HTTP request failed.", apiKey: planted } }, "refused");
  expect(last().err).toEqual({ type: "HttpRequestError", message: "HTTP request failed.", apiKey: "[redacted]" });
});

test("lines stay valid JSON with level and time, and what is not secret stays readable", () => {
  const { log, last } = startLog();
  const begun = new Date().toISOString();
  log.info({ method: "GET", path: "/dashboard", status: 200, ms: 1.5, at: new Date(0) }, "request");
  const time = String(last().time);
  // Times in this format sort as text.
  expect([begun <= time, time <= new Date().toISOString()]).toEqual([true, true]);
  expect(new Date(time).toISOString()).toBe(time);
  expect(last()).toMatchObject({
    level: "info",
    msg: "request",
    path: "/dashboard",
    status: 200,
    at: "1970-01-01T00:00:00.000Z",
  });
  log.error(new Error('quote " and newline\nparams: "a", b'));
  expect(last().err.message).toBe('quote " and newline\nparams: [redacted]');
});

test("redacts a long text in linear time: quadratic time would exceed the test's timeout", () => {
  const { log, text } = startLog();
  log.info({ path: "a".repeat(1_000_000) }, "%".repeat(1_000_000));
  expect(text().length).toBeGreaterThan(2_000_000);
});

test("a cycle in an object neither throws nor floods the log", () => {
  const { log, last } = startLog();
  const node: Record<string, unknown> = { name: "loop" };
  node.self = node;
  log.info({ node }, "cycle");
  expect(JSON.stringify(last())).toContain("[nested]");
});

test("replaces objects that are nested more than six levels deep", () => {
  const { log, last } = startLog();
  const nest = (levels: number): object => (levels === 0 ? { end: "here" } : { inner: nest(levels - 1) });
  log.info({ node: nest(5) }, "kept");
  expect(last().node).toEqual(nest(5));
  log.info({ node: nest(1000) }, "cut off");
  expect(JSON.stringify(last().node)).toBe(`${'{"inner":'.repeat(6)}"[nested]"${"}".repeat(6)}`);
});

test("the process goes on and exits normally if the disk takes no more log lines", () => {
  const script = `
    import { createLog } from ${JSON.stringify(new URL("log.ts", import.meta.url).href)};
    const log = createLog({ level: "info" });
    log.info("lost");
    await new Promise((done) => log.flush(done));
    log.fatal("lost, too");
    // Node itself bears the first.
    for (const line of ["lost as well", "and so is this"]) {
      console.log(line);
      await new Promise(setImmediate);
    }
    console.error("still there");
  `;
  const full = openSync("/dev/full", "w");
  const args = [...QUICK_EXIT, "--input-type=module", "--eval", script];
  const ended = spawnSync(process.execPath, args, {
    stdio: ["ignore", full, "pipe"],
    encoding: "utf8",
    timeout: 120_000,
  });
  closeSync(full);
  expect(ended).toMatchObject({ status: 0, signal: null, stderr: "still there\n" });
});
