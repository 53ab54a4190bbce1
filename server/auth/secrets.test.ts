import { expect, test } from "vitest";
import { fillForm, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { dumpDatabase, listEncodings } from "../../tests/support/database/dump-database.ts";
import { deliverDue } from "../../tests/support/api/jobs.ts";
import { tokenOf } from "../../tests/support/api/mailbox.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { createLog } from "../log/log.ts";
import {
  forgotPassword,
  login,
  openRecovery,
  resendPasswordReset,
  resendVerification,
  resetPassword,
  signUp,
  verify,
} from "./contract.ts";

const lines: string[] = [];
const log = createLog({ level: "trace", destination: { write: (line) => void lines.push(line) } });
const { api, clock, database, mailbox } = await openTestApi({ log });
const email = "ada@nodebeat.test";

/** An email that cannot be sent is logged as an error, with whatever the mail server says. */
const failing = {
  transport: {
    send: (mail: { to: string }) => Promise.reject(new Error(`451 try later: RCPT TO:<${mail.to}>`)),
    close() {},
  },
  origin: "http://nodebeat.test",
};

test("neither the database nor the log holds a code, link, token or password of an account", async () => {
  const secrets: string[] = [];
  const kept: string[] = [];
  const dump = async () => kept.push(await dumpDatabase(database.db));

  const planted = { email, password: "planted pass phrase", turnstileToken: await fillForm(api, clock) };
  const { signupToken } = await api.read(signUp, { body: planted });
  // Look while the email is queued, and after it could not be sent.
  await dump();
  await deliverDue(api.deps, failing);
  await dump();
  clock.advance(60_000);
  await mailbox.deliver();
  await api.read(resendVerification, { body: { token: signupToken } });
  await dump();
  await mailbox.deliver();
  const codes = mailbox.mails.map(({ code = "" }) => code);
  const link = tokenOf(await mailbox.read(email));
  const { accessToken } = await api.read(verify, { body: { token: link } });
  await dump();

  const { resetToken } = await api.read(forgotPassword, {
    body: { email, turnstileToken: await fillForm(api, clock) },
  });
  await dump();
  clock.advance(60_000);
  await api.read(resendPasswordReset, { body: { token: resetToken } });
  const resetLink = tokenOf(await mailbox.read(email));
  const { recoveryToken } = await api.read(openRecovery, { body: { token: resetLink } });
  await dump();
  const password = "another planted phrase";
  await api.read(resetPassword, { body: { token: recoveryToken, password } });
  await dump();
  await api.read(login, { body: { email, password, turnstileToken: await fillForm(api, clock) } });
  log.info({ path: `/auth/verify?code=${link}` }, "A request");
  await dump();

  expect(codes).toHaveLength(2);
  secrets.push(signupToken, link, accessToken, resetToken, resetLink, recoveryToken, planted.password, password);
  const all = [...kept, ...lines].join("\n");
  expect(all).toContain(email);
  expect(all).toContain("a job failed: it is tried again");
  for (const secret of secrets.flatMap(listEncodings)) expect(all).not.toContain(secret);
  // Six digits turn up anywhere by chance, so look only for what a stored code would look like.
  for (const code of codes) {
    expect(all).not.toMatch(new RegExp(`(?<![0-9a-f.:-])${code}(?![0-9a-f])`));
    expect(all).not.toContain(Buffer.from(code).toString("hex"));
  }
});

test("no response contains a code or link that was mailed", async () => {
  const answers = [];
  const body = { email, password: TEST_PASSWORD, turnstileToken: await fillForm(api, clock) };
  answers.push(await api.call(signUp, { body }));
  const { code = "", ...mail } = await mailbox.read(email);
  answers.push(await api.call(forgotPassword, { body: { email, turnstileToken: await fillForm(api, clock) } }));
  const replies = JSON.stringify(answers.map((answer) => answer.body));
  expect(replies).not.toContain(tokenOf(mail));
  expect(replies).not.toContain(`"${code}"`);
});
