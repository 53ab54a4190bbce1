import { afterAll, expect, test } from "vitest";
import { createTestApi, createTestClock, seedMember } from "../../../tests/support/api/api.ts";
import { sendCheckedForm } from "../../../tests/support/pages/checked-form.ts";
import { createMailbox, tokenOf } from "../../../tests/support/api/mailbox.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";
import {
  createVisitor,
  describePages,
  findField,
  listFields,
  listLabels,
  readById,
  type Visitor,
} from "../../../tests/support/pages/test-pages.ts";

const database = await createTestDatabase();
const clock = createTestClock();
const api = createTestApi(database, { now: clock.now });
const mailbox = createMailbox(api.deps);
afterAll(() => database.close());

const email = "ada@nodebeat.test";
const EMAIL = "Enter a valid email.";
const SHORT = "Use at least 8 characters.";

const checked = (path: string, typed: Record<string, string>) => (visitor: Visitor) =>
  sendCheckedForm(visitor, clock, path, typed);
const plain = (path: string, typed: Record<string, string>) => (visitor: Visitor) => visitor.post(path, typed);

async function verify(visitor: Visitor) {
  await sendCheckedForm(visitor, clock, "/auth/signup", { email, password: "a pass phrase of mine" });
  return visitor.post("/auth/verify", { verificationCode: "12" });
}

async function reset(visitor: Visitor) {
  await seedMember(api.deps, { email });
  await sendCheckedForm(visitor, clock, "/auth/forgot-password", { email });
  await visitor.get(`/auth/reset-password?token=${tokenOf(await mailbox.read(email))}`);
  await visitor.post("/auth/reset-password", { intent: "open" });
  return visitor.post("/auth/reset-password", { password: "short" });
}

async function campaignCode(visitor: Visitor) {
  await visitor.post("/profile", { intent: "campaign-address", email: "news@nodebeat.test" });
  return visitor.post("/profile", { intent: "campaign-code", verificationCode: "12" });
}

type Form = [string, (visitor: Visitor) => Promise<Response>, Record<string, string>];

const OF_VISITORS: Form[] = [
  ["sign-in", checked("/auth", { email: "ada", password: "" }), { email: EMAIL, password: "Enter your password." }],
  [
    "sign-up",
    checked("/auth/signup", { email: "ada", password: "short", referralCode: "K7Q" }),
    { email: EMAIL, password: SHORT, referralCode: "Invalid referral code" },
  ],
  ["the code of a sign-up", verify, { verificationCode: "Enter the 6 digits of the code." }],
  ["a forgotten password", checked("/auth/forgot-password", { email: "ada" }), { email: EMAIL }],
  ["a new password", reset, { password: SHORT }],
];
const OF_MEMBERS: Form[] = [
  [
    "the profile's details",
    plain("/profile", { intent: "details", website: "no address" }),
    { website: "Enter the address of a website, such as https://example.org." },
  ],
  [
    "a change of password",
    plain("/profile", { intent: "password", currentPassword: "", password: "short" }),
    { currentPassword: "Enter your current password.", password: SHORT },
  ],
  ["the address for campaign mail", plain("/profile", { intent: "campaign-address", email: "ada" }), { email: EMAIL }],
  ["its code", campaignCode, { verificationCode: "Enter the 6 digits of the code." }],
  [
    "the deletion of an account",
    plain("/profile/delete", { intent: "delete", password: "" }),
    { password: "Enter your password.", understood: "Tick the box to continue." },
  ],
];

/** Returns the error message of each invalid field on a page, by the field's name. */
async function readErrors(response: Response) {
  expect(response.status).toBe(400);
  const html = await response.text();
  expectLabels(html);
  const wrong = listFields(html).filter((field) => field["aria-invalid"] !== undefined);
  return Object.fromEntries(
    wrong.map((field) => {
      expect(field["aria-invalid"]).toBe("true");
      expect(findField(html, field.name ?? "")).toEqual(field);
      const described = field["aria-describedby"]?.split(" ") ?? [];
      return [field.name, described.map((id) => readById(html, id) ?? `nothing has the id ${id}`).at(-1)];
    }),
  );
}

const isNamed = (field: Record<string, string>) => field["aria-label"] ?? field["aria-labelledby"];

/**
 * Expects each visible field to be named, by its own label, a label around it or ARIA, and each label to have a field.
 */
function expectLabels(html: string) {
  const around = (html.match(/<label\b.*?<\/label>/gs) ?? []).filter(
    (label) => listLabels(label)[0]?.for === undefined,
  );
  expect(around.filter((label) => listFields(label).length !== 1)).toEqual([]);

  const fields = listFields(html).filter((field) => field.type !== "hidden" && field["aria-hidden"] === undefined);
  const ids = fields.map(({ id }) => id);
  const labels = listLabels(html).flatMap((label) => label.for ?? []);
  expect(labels.filter((label) => ids.filter((id) => id === label).length !== 1)).toEqual([]);

  const labelled = new Set(around.flatMap((label) => listFields(label).map(({ name }) => name)));
  const nameless = fields.filter((field) => !isNamed(field) && !labels.includes(field.id ?? ""));
  expect(nameless.filter(({ name }) => !labelled.has(name))).toEqual([]);
}

describePages(database, api, ({ pages, visitMember }) => {
  test.each(OF_VISITORS)("%s: each error is announced with its field", async (_, send, told) => {
    expect(await readErrors(await send(createVisitor(pages)))).toEqual(told);
  });

  test.each(OF_MEMBERS)("%s: each error is announced with its field", async (_, send, told) => {
    const { visitor } = await visitMember();
    expect(await readErrors(await send(visitor))).toEqual(told);
  });
});
