import { afterAll, describe, expect, test } from "vitest";
import { createTestApi, createTestClock, TEST_PASSWORD } from "../tests/support/api/api.ts";
import { sendCheckedForm } from "../tests/support/pages/checked-form.ts";
import { createMailbox } from "../tests/support/api/mailbox.ts";
import { createTestDatabase } from "../tests/support/database/test-database.ts";
import { createVisitor, describePages } from "../tests/support/pages/test-pages.ts";

const database = await createTestDatabase();
const clock = createTestClock();
const api = createTestApi(database, { now: clock.now });
const mailbox = createMailbox(api.deps);
afterAll(() => database.close());

const email = "ada@nodebeat.test";
/**
 * Plain cookies, and those that carry a secret. On https, the names of the latter say that they are for this host
 * alone.
 */
const PLAIN =
  "event_analytics event_auth first_steps_hidden note_pp note_profile note_sign-in note_toast note_tos mobile_continued ppAccepted ppSkipped sidebar_state theme tosAccepted utm".split(
    " ",
  );
const SECRET = "campaign device draft recovery reset reset_link session signup verify_link"
  .split(" ")
  .map((name) => `nodebeat_${name}`);

/** Forms that a member sends, each of which sets a cookie. */
const FORMS: [path: string, form: Record<string, string>][] = [
  ["/shell/theme", { theme: "dark" }],
  ["/shell/sidebar", { open: "false" }],
  ["/shell/first-steps", { member: "ada" }],
  ["/shell/continue", {}],
  ["/legal/terms", { accept: "on" }],
  ["/legal/privacy", { accept: "on" }],
  ["/legal/privacy/skip", {}],
  ["/profile", { intent: "campaign-address", email: "news@nodebeat.test" }],
];

/** Signs up, acts as a member, loses the session and then the password. Returns every `Set-Cookie` on the way. */
async function collectCookies(pages: Parameters<typeof createVisitor>[0]): Promise<string[]> {
  const lines: string[] = [];
  const visitor = createVisitor({
    async fetch(request) {
      const answer = await pages.fetch(request);
      lines.push(...answer.headers.getSetCookie());
      return answer;
    },
  });
  async function follow() {
    const { pathname, search } = new URL((await mailbox.read(email)).link ?? "");
    mailbox.mails.length = 0;
    await visitor.get(pathname + search);
  }

  visitor.cookies.set("analytics_consent", "granted");
  await visitor.get("/auth?utm_source=letter");
  await sendCheckedForm(visitor, clock, "/auth/signup", { email, password: TEST_PASSWORD });
  await follow();
  await visitor.post("/auth/verify", { intent: "link" });
  for (const [path, form] of FORMS) await visitor.post(path, form);

  const asMember = [...visitor.cookies];
  await visitor.post("/auth/logout");
  for (const [name, value] of asMember) visitor.cookies.set(name, value);
  await visitor.post("/profile", { intent: "campaign-address", email: "other@nodebeat.test" });
  await visitor.get("/machine-id");
  await visitor.get("/auth");
  await sendCheckedForm(visitor, clock, "/auth/forgot-password", { email });
  await follow();
  await visitor.post("/auth/reset-password", { intent: "open" });
  return lines;
}

/** Returns the names of the cookies. Leaves out the last part of those that carry what an action says: it is random. */
const namesOf = (cookies: string[]) =>
  [
    ...new Set(
      cookies.map((line) => line.slice(0, line.indexOf("=")).replace(/^((?:note|event)_.+)_[\da-f]{8}$/, "$1")),
    ),
  ].sort();

describe("over https, behind a proxy that terminates TLS", () => {
  describePages(
    database,
    api,
    ({ pages }) => {
      test("every cookie has Secure exactly once, and secret ones have the __Host- prefix", async () => {
        const cookies = await collectCookies(pages);
        expect(cookies.filter((line) => line.match(/; Secure(?=;|$)/g)?.length !== 1)).toEqual([]);
        const names = [...PLAIN, ...SECRET.map((name) => `__Host-${name}`)];
        expect(namesOf(cookies)).toEqual(names.sort());
      });
    },
    { publicUrl: "https://nodebeat.test", gtmId: "GTM-TEST" },
  );
});

describe("over http", () => {
  describePages(
    database,
    api,
    ({ pages }) => {
      test("no cookie is Secure, because browsers would reject it", async () => {
        const cookies = await collectCookies(pages);
        expect(cookies.filter((line) => /secure/i.test(line))).toEqual([]);
        expect(namesOf(cookies)).toEqual([...PLAIN, ...SECRET].sort());
      });
    },
    { gtmId: "GTM-TEST" },
  );
});
