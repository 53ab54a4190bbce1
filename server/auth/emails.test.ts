import { expect, test } from "vitest";
import { nameDevice } from "../http/client.ts";
import * as emails from "./emails.ts";

const to = "ada@nodebeat.test";
const at = new Date("2026-11-21T02:31:59.000Z");

/** Each email about accounts, with the page that it links to and what it must mention. */
test.each([
  [emails.verification(to, { code: "012345", linkToken: "nbv_x" }), "/auth/verify?code=nbv_x", ["one day"]],
  [emails.accountExists(to), "/auth", ["already has an account"]],
  [emails.passwordReset(to, { linkToken: "nbl_x" }), "/auth/reset-password?token=nbl_x", ["once", "one hour"]],
  [emails.resetLinkUsed(to), "/auth/forgot-password", ["only once"]],
  [emails.noAccount(to), "/auth/signup", ["no account"]],
  [emails.passwordChanged(to, { at }), "/auth/forgot-password", ["21 November 2026, 02:31 UTC", "everywhere"]],
  [
    emails.passwordChanged(to, { at, keptOne: true }),
    "/auth/forgot-password",
    ["21 November 2026, 02:31 UTC", "on all other devices"],
  ],
  [
    emails.newDevice(to, { device: "Firefox on Windows", at }),
    "/profile#sessions",
    ["on 21 November 2026, 02:31 UTC with Firefox on Windows"],
  ],
  [
    emails.newDevice(to, { device: nameDevice("node"), at }),
    "/profile#sessions",
    ["on 21 November 2026, 02:31 UTC with a device or program that we do not recognise, such as a node."],
  ],
])("$subject explains in full sentences what happened and what to do", (content, path, named) => {
  const { action, note, paragraphs, subject } = content;
  expect(content.to).toBe(to);
  expect(action).toEqual({ label: expect.stringMatching(/^[A-Z][\w ]+$/), path });
  expect(subject).toMatch(/^[A-Z][\w -]+$/);
  for (const text of [...paragraphs, note]) expect(text).toMatch(/^[A-Z].+\.$/);
  // A reader of the plain text sees no button.
  expect([...paragraphs, note].join(" ")).not.toContain("button");
  expect([paragraphs.length > 0, content.code]).toEqual([
    true,
    subject === "Confirm your email" ? "012345" : undefined,
  ]);
  for (const name of named) expect(paragraphs.join(" ")).toContain(name);
});
