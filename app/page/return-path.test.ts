import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { describePages } from "../../tests/support/pages/test-pages.ts";
import { returnPath } from "./return-path.ts";

const page = new URL("http://nodebeat.test/dashboard");
const FALLBACK = "/faqs";

/** Resolves a response's `Location` as a browser on our page does. */
const follow = (location: string) => new URL(location, page);

test.each([
  "/dashboard?range=30&page=2",
  "/profile#password",
  "/",
  "/points/a%20b?x=%2F%2F",
  "/faqs//x",
  "/dashboard?next=//evil.test",
])("a form returns to %s", (path) => {
  expect(returnPath(path, page, FALLBACK)).toBe(path);
});

const ELSEWHERE = [
  "https://evil.test/",
  "//evil.test/",
  "/\\evil.test/",
  "/\t/evil.test/",
  "/.//evil.test/phish",
  "/..//evil.test/phish",
  "/a/..//evil.test/phish",
  "/.%2e//evil.test/phish",
  "/%2E//evil.test/phish",
  "/.\\/evil.test/phish",
  "/./\\evil.test/phish",
  "/.//",
];

test.each([...ELSEWHERE, "javascript:alert(1)", "dashboard", "", null, new File([], "x")])(
  "a form does not return to %s",
  (target) => {
    expect(returnPath(target, page, FALLBACK)).toBe(FALLBACK);
  },
);

const SIGNS = [
  "/",
  "\\",
  ".",
  "%2e",
  "%2F",
  "%5c",
  "\t",
  "\n",
  "\r",
  " ",
  "?",
  "#",
  "@",
  ":",
  "[",
  "\0",
  "é",
  "\ud800",
];
const WORDS = ["evil.test", "nodebeat.test", "http:", "file:", "javascript:", "dashboard", "a"];
const hostile = fc.oneof(
  fc.array(fc.constantFrom(...SIGNS, ...WORDS), { maxLength: 12 }).map((parts) => `/${parts.join("")}`),
  fc.array(fc.constantFrom(...SIGNS, ...WORDS), { maxLength: 12 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary" }).map((text) => `/${text}`),
  fc.webUrl(),
);

test("a return path never leaves the site, even if it is resolved twice", () => {
  const property = fc.property(hostile, (asked) => {
    const path = returnPath(asked, page, FALLBACK);
    const once = follow(path);
    expect(once.origin).toBe(page.origin);
    expect(`${once.pathname}${once.search}${once.hash}`).toBe(path);
    expect(follow(`${once.pathname}${once.search}`).origin).toBe(page.origin);
  });
  fc.assert(property, { numRuns: 5_000 });
});

test("keeps every address on our site unchanged", () => {
  const segments = fc.array(fc.webSegment().filter(Boolean), { maxLength: 5 });
  const property = fc.property(segments, fc.option(fc.webQueryParameters()), (names, query) => {
    const { pathname, search } = follow(`/${names.join("/")}${query === null ? "" : `?${query}`}`);
    expect(returnPath(`${pathname}${search}`, page, FALLBACK)).toBe(`${pathname}${search}`);
  });
  fc.assert(property, { numRuns: 2_000 });
});

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

const FORMS: [path: string, fallback: string, fields?: Record<string, string>][] = [
  ["/shell/theme", "/", { theme: "dark" }],
  ["/shell/sidebar", "/", { open: "false" }],
  ["/shell/first-steps", "/", { member: "ada" }],
  ["/shell/continue", "/"],
  ["/legal/privacy/skip", "/dashboard"],
  ["/legal/privacy", "/dashboard", { accept: "on" }],
  ["/legal/terms", "/dashboard", { accept: "on" }],
  ["/profile/keep", "/profile"],
];

describePages(database, api, ({ visitMember }) => {
  describe.each(FORMS)("the form sent to %s", (form, fallback, fields = {}) => {
    test("redirects back to the page it was on", async () => {
      const { visitor } = await visitMember();
      const response = await visitor.post(form, { ...fields, returnTo: "/referrals?page=2" });
      expect([response.status, response.headers.get("Location")]).toEqual([303, "/referrals?page=2"]);
    });

    test("never redirects to another site", async () => {
      const { visitor } = await visitMember();
      for (const returnTo of ELSEWHERE) {
        const response = await visitor.post(form, { ...fields, returnTo });
        expect([response.status, response.headers.get("Location")]).toEqual([303, fallback]);
      }
    });
  });
});
