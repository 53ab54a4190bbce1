import { expect, test } from "vitest";
import { nameDevice } from "../http/client.ts";
import * as letters from "./letters.ts";

const to = "ada@nodebeat.test";
const at = new Date("2026-11-21T02:31:59.000Z");

/** Each email about accounts, with the page that it links to and what it must mention. */
test.each([
  [letters.verification(to, { code: "012345", linkToken: "nbv_x" }), "/auth/verify?code=nbv_x", ["one day"]],
  [letters.accountExists(to), "/auth", ["already has an account"]],
  [letters.passwordReset(to, { linkToken: "nbl_x" }), "/auth/reset-password?token=nbl_x", ["once", "one hour"]],
  [letters.resetLinkUsed(to), "/auth/forgot-password", ["only once"]],
  [letters.noAccount(to), "/auth/signup", ["no account"]],
  [letters.passwordChanged(to, { at }), "/auth/forgot-password", ["21 November 2026, 02:31 UTC", "everywhere"]],
  [
    letters.passwordChanged(to, { at, keptOne: true }),
    "/auth/forgot-password",
    ["21 November 2026, 02:31 UTC", "on all other devices"],
  ],
  [
    letters.newDevice(to, { device: "Firefox on Windows", at }),
    "/profile#sessions",
    ["on 21 November 2026, 02:31 UTC with Firefox on Windows"],
  ],
  [
    letters.newDevice(to, { device: nameDevice("node"), at }),
    "/profile#sessions",
    ["on 21 November 2026, 02:31 UTC with a device or program that we do not recognise, such as a node."],
  ],
])("$subject explains in full sentences what happened and what to do", (letter, path, named) => {
  const { action, note, paragraphs, subject } = letter;
  expect(letter.to).toBe(to);
  expect(action).toEqual({ label: expect.stringMatching(/^[A-Z][\w ]+$/), path });
  expect(subject).toMatch(/^[A-Z][\w -]+$/);
  for (const text of [...paragraphs, note]) expect(text).toMatch(/^[A-Z].+\.$/);
  // A reader of the plain text sees no button.
  expect([...paragraphs, note].join(" ")).not.toContain("button");
  expect([paragraphs.length > 0, letter.code]).toEqual([true, subject === "Confirm your email" ? "012345" : undefined]);
  for (const name of named) expect(paragraphs.join(" ")).toContain(name);
});
