import { createServer } from "node:net";
import type { SMTPServerOptions } from "smtp-server";
import { afterEach, expect, test } from "vitest";
import { fillForm, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { deliverDue } from "../../tests/support/api/jobs.ts";
import { startMailServer } from "../../tests/support/servers/mail-server.ts";
import { parseMail, tokenOf } from "../../tests/support/api/mailbox.ts";
import { serveLocally } from "../../tests/support/servers/serve-locally.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { signUp, verify } from "../auth/contract.ts";
import { backgroundJobs } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import type { RenderedEmail } from "./email.ts";
import { renderMail } from "./render.ts";
import { createSmtpTransport } from "./smtp.ts";
import { MailRefused, type MailTransport } from "./transport.ts";

const mailFrom = "Nodebeat <hello@nodebeat.example>";
const { api, clock, database } = await openTestApi();
const open = new Set<{ close: () => unknown }>();

afterEach(() => {
  for (const each of open) each.close();
  open.clear();
});

async function startServer(options: SMTPServerOptions = {}) {
  const server = await startMailServer(options);
  open.add(server);
  return server;
}

function connect(smtpUrl: string, sender = mailFrom): MailTransport {
  const transport = createSmtpTransport({ smtpUrl, mailFrom: sender });
  open.add(transport);
  return transport;
}

const mail: RenderedEmail = {
  id: "0192f000-0000-7000-8000-000000000000",
  to: "ada@nodebeat.test",
  subject: "Confirm your email",
  text: "Hello",
  html: "<p>Hello</p>",
};

const refuse = (responseCode: number, words = "No.") => Object.assign(new Error(words), { responseCode });

test("a sign-up's mail arrives by SMTP, and its code and link work", async () => {
  const { received, port } = await startServer();
  const transport = connect(`smtp://127.0.0.1:${port}`);
  const turnstileToken = await fillForm(api, clock);
  const body = { email: "ada@nodebeat.test", password: TEST_PASSWORD, turnstileToken };
  const { signupToken } = await api.read(signUp, { body });

  await deliverDue(api.deps, { transport, origin: "https://nodebeat.example" });

  expect(received).toMatchObject([{ from: "hello@nodebeat.example", to: ["ada@nodebeat.test"] }]);
  const raw = received[0]?.raw ?? "";
  expect(raw).toMatch(/^From: Nodebeat <hello@nodebeat.example>\r$/m);
  expect(raw).toMatch(/^Message-ID: <[\w-]{36}@nodebeat.example>\r$/m);
  expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(raw).toMatch(/^Content-Type: multipart\/alternative;/m);
  expect(raw).toMatch(/^Content-Type: text\/html; charset=utf-8\r$/m);
  const { code, link, subject } = parseMail(raw);
  expect([subject, link]).toEqual([
    "Confirm your email",
    expect.stringContaining("https://nodebeat.example/auth/verify?code=nbv_"),
  ]);
  expect(await api.call(verify, { body: { token: signupToken, verificationCode: code } })).toMatchObject({
    status: 200,
  });
  expect(await api.call(verify, { body: { token: tokenOf({ link }) } })).toMatchObject({ status: 410 });
  expect(await database.db.$count(backgroundJobs)).toBe(0);
});

test.each([
  ["Nodebeat: your node <hello@nodebeat.example>", '"Nodebeat: your node" <hello@nodebeat.example>'],
  ['"Nodebeat, Inc." <hello@nodebeat.example>', '"Nodebeat, Inc." <hello@nodebeat.example>'],
  ["hello@nodebeat.example", "hello@nodebeat.example"],
])("an email from the MAIL_FROM %s is From: %s", async (sender, header) => {
  const { received, port } = await startServer();
  await connect(`smtp://127.0.0.1:${port}`, sender).send(mail);
  expect(received[0]?.from).toBe("hello@nodebeat.example");
  expect(received[0]?.raw.split("\r\n")).toContain(`From: ${header}`);
});

test("an email that is sent late, or twice, is dated when it was written", async () => {
  const { received, port } = await startServer();
  const content = { to: mail.to, subject: mail.subject, paragraphs: ["It works for one day."], note: "A note." };
  for (let times = 0; times < 2; times += 1)
    await connect(`smtp://127.0.0.1:${port}`).send(renderMail(mail.id, content, "https://nodebeat.example"));
  const dates = received.map(({ raw }) => /^Date: (.*)\r$/m.exec(raw)?.[1]);
  expect(dates).toEqual(Array(2).fill("Sun, 03 Nov 2024 03:09:44 +0000"));
});

test("authenticates with the user and password of the SMTP URL", async () => {
  const seen: unknown[] = [];
  const { received, port } = await startServer({
    authOptional: false,
    onAuth: ({ username, password }, _, done) => {
      seen.push(username, password);
      done(null, { user: username });
    },
  });
  await connect(`smtp://mailer:p%40ss%2Fword@127.0.0.1:${port}`).send(mail);
  expect(seen).toEqual(["mailer", "p@ss/word"]);
  expect(received).toHaveLength(1);
});

test.each([
  [550, "No."],
  [553, "No."],
  [554, "5.1.1 No such user."],
  [550, "No such user: relay@nodebeat.test"],
])("a recipient refused with %i %s is a permanent failure", async (status, words) => {
  const { port } = await startServer({ onRcptTo: (_, __, done) => done(refuse(status, words)) });
  await expect(connect(`smtp://127.0.0.1:${port}`).send(mail)).rejects.toBeInstanceOf(MailRefused);
});

const refuseMessage =
  (status: number, words?: string): SMTPServerOptions["onData"] =>
  (stream, _, done) => {
    stream.resume();
    stream.on("end", () => done(refuse(status, words)));
  };

test("a message refused with 552 is a permanent failure", async () => {
  const { port } = await startServer({ onData: refuseMessage(552) });
  await expect(connect(`smtp://127.0.0.1:${port}`).send(mail)).rejects.toBeInstanceOf(MailRefused);
});

test("the mail job sends a message that is refused for good only once", async () => {
  let attempts = 0;
  const { port } = await startServer({
    onMailFrom(_, __, done) {
      attempts += 1;
      done();
    },
    onData: refuseMessage(552),
  });
  const transport = connect(`smtp://127.0.0.1:${port}`);
  const content = { to: mail.to, subject: mail.subject, paragraphs: ["It works for one day."], note: "A note." };
  await inTransaction(database.db, (tx) => api.deps.outbox.post(tx, content));
  const deliver = () => deliverDue(api.deps, { transport, origin: "https://nodebeat.example" });
  expect(await deliver()).toBe(1);
  const lastError = expect.stringContaining("The mail was refused for good");
  expect(await database.db.select().from(backgroundJobs)).toMatchObject([
    { kind: "mail", attempts: 1, lastError, deadAt: expect.any(Date) },
  ]);
  // Far longer than the first pause, and long before the email expires.
  clock.advance(60 * 60_000);
  expect([await deliver(), attempts]).toEqual([0, 1]);
});

test.for<[string, SMTPServerOptions, string]>([
  ["a busy mailbox", { onRcptTo: (_, __, done) => done(refuse(451)) }, ""],
  ["a wrong password in the SMTP URL", { onAuth: (_, __, done) => done(refuse(535)) }, "mailer:wrong@"],
  ["a server that accepts no mail for now", { onConnect: (_, done) => done(refuse(554)) }, ""],
])("%s is a temporary failure", async ([, options, user]) => {
  const { port } = await startServer(options);
  const sent = connect(`smtp://${user}127.0.0.1:${port}`).send(mail);
  await expect(sent).rejects.toSatisfy((error) => error instanceof Error && !(error instanceof MailRefused));
});

test("an unreachable mail server is a temporary failure", async () => {
  const sent = connect("smtp://127.0.0.1:1").send(mail);
  await expect(sent).rejects.toSatisfy((error) => error instanceof Error && !(error instanceof MailRefused));
});

test("a mail server that refuses the sender is a temporary failure that names MAIL_FROM", async () => {
  const { port } = await startServer({ onMailFrom: (_, __, done) => done(refuse(550)) });
  const sent = connect(`smtp://127.0.0.1:${port}`).send(mail);
  await expect(sent).rejects.toMatchObject({ name: "Error", message: "The mail server refused MAIL_FROM" });
});

test.each([
  [554, "5.7.1 <ada@nodebeat.test>: Relay access denied"],
  [553, "5.7.1 <hello@nodebeat.example>: Sender address rejected: not logged in"],
  [550, "5.1.8 <hello@nodebeat.example>: Sender address rejected: Domain not found"],
  [530, "Must issue a STARTTLS command first"],
  [503, "AUTH first"],
  [550, "relay not permitted"],
  [553, "sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)"],
  [550, "Sender verify failed"],
  [550, "5.4.5 Daily user sending limit exceeded"],
])("a sender refused only after the recipient is a temporary failure: %i %s", async (status, words) => {
  const { port } = await startServer({ onRcptTo: (_, __, done) => done(refuse(status, words)) });
  const sent = connect(`smtp://127.0.0.1:${port}`).send(mail);
  await expect(sent).rejects.toMatchObject({ name: "Error", message: "The mail server refused to send for us" });
});

test.each([
  [550, "5.7.60 SMTP; Client does not have permissions to send as this sender"],
  [554, "5.7.1 Message rejected: the sender's address is not verified"],
  [554, "5.7.1 <ada@nodebeat.test>: Relay access denied"],
  [550, "5.4.6 Daily quota of messages exceeded"],
  [554, "Message rejected: Email address is not verified"],
  [554, "Sending paused for this account"],
])("a sender refused only after the message is a temporary failure: %i %s", async (status, words) => {
  const { port } = await startServer({ onData: refuseMessage(status, words) });
  const sent = connect(`smtp://127.0.0.1:${port}`).send(mail);
  await expect(sent).rejects.toMatchObject({ name: "Error", message: "The mail server refused to send for us" });
});

test("a spam filter's refusal is permanent, even with the code of a refused sender", async () => {
  const { port } = await startServer({ onData: refuseMessage(554, "5.7.1 Spam message rejected") });
  const sent = connect(`smtp://127.0.0.1:${port}`).send(mail);
  await expect(sent).rejects.toMatchObject({ name: "MailRefused" });
});

test("a server that never stops talking times out, also for emails that wait for a connection", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => {}).write("220 hello\r\n");
    const talk = setInterval(() => socket.write("250-still here\r\n"), 5);
    socket.on("close", () => clearInterval(talk));
  });
  open.add(server);
  const { port } = await serveLocally(server);
  const transport = createSmtpTransport({ smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom, timeout: 100 });
  open.add(transport);
  // More than there are connections.
  const sent = await Promise.allSettled(Array.from({ length: 10 }, () => transport.send(mail)));
  for (const each of sent) expect(each).toMatchObject({ reason: { message: "The mail server took too long" } });
});

test("a mail server on another machine must offer TLS, unless the URL says requireTLS=false", async () => {
  const { received, port } = await startServer();
  // Not one of this machine's loopback names, though it leads here.
  await expect(connect(`smtp://0.0.0.0:${port}`).send(mail)).rejects.toThrow(/STARTTLS/i);
  expect(received).toEqual([]);
  await connect(`smtp://0.0.0.0:${port}?requireTLS=false`).send(mail);
  expect(received).toHaveLength(1);
});

test("neither a comma in an address nor a line break in a subject adds a recipient", async () => {
  const { received, port } = await startServer();
  const transport = connect(`smtp://127.0.0.1:${port}`);
  const subject = "Hello\r\nBcc: eve@nodebeat.test";
  for (const to of ['a"b@nodebeat.test, eve@nodebeat.test', "ada@nodebeat.test, eve@nodebeat.test"])
    await transport.send({ ...mail, to, subject }).catch(() => {});
  // Those may be refused, but this one arrives.
  await transport.send({ ...mail, subject });
  expect(received.at(-1)?.to).toEqual([mail.to]);
  expect(received.flatMap((each) => each.to)).not.toContain("eve@nodebeat.test");
  expect(received.every(({ raw }) => !/^Bcc:/m.test(raw))).toBe(true);
});
