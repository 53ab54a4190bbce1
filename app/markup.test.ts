import { afterAll, expect, test } from "vitest";
import { createTestApi } from "../tests/support/api.ts";
import { seedFullMember } from "../tests/support/full-member.ts";
import { createTestClock } from "../tests/support/api.ts";
import { createTestDatabase } from "../tests/support/test-database.ts";
import { createVisitor, describePages, readById } from "../tests/support/test-pages.ts";

const database = await createTestDatabase();
const clock = createTestClock();
const api = createTestApi(database, { now: clock.now });
afterAll(() => database.close());

const VISITORS = ["/auth", "/auth/signup", "/auth/verify", "/auth/forgot-password", "/faqs", "/terms", "/no-such-page"];
const MEMBERS = [
  "/dashboard",
  "/agentinsights",
  "/rewards",
  "/referrals",
  "/profile",
  "/profile/delete",
  "/auth/logout",
];

const listIds = (html: string) => Array.from(html.matchAll(/<[^>]* id="([^"]*)"/g), ([, id = ""]) => id);

/** Each landmark with its name, as it is read out: `nav Main`. */
const listLandmarks = (html: string) =>
  Array.from(html.matchAll(/<(nav|aside|section|form)\b([^>]*)>/g), ([, tag = "", attributes = ""]) => {
    const [, label] = / aria-label="([^"]*)"/.exec(attributes) ?? [];
    const [, id] = / aria-labelledby="([^"]*)"/.exec(attributes) ?? [];
    const name = label ?? (id && readById(html, id));
    // A section and a form are landmarks by their name alone.
    return name === undefined && (tag === "section" || tag === "form") ? [] : [`${tag} ${name ?? ""}`];
  }).flat();

const repeated = (values: string[]) => values.filter((value, index) => values.indexOf(value) !== index);

function expectSound(html: string, path: string) {
  expect(repeated(listIds(html)), `ids of ${path}`).toEqual([]);
  expect(html.match(/<main\b/g), `main of ${path}`).toHaveLength(1);
  expect(repeated(listLandmarks(html)), `landmarks of ${path}`).toEqual([]);
}

describePages(database, api, ({ pages }) => {
  test("every page has one main, no id twice, and landmarks that their names tell apart", async () => {
    const visitor = createVisitor(pages);
    for (const path of VISITORS) expectSound(await (await visitor.get(path)).text(), path);
    const { token, user } = await seedFullMember(api, clock);
    await visitor.begin({ accessToken: token, userId: user.id });
    for (const path of [...MEMBERS, "/faqs", "/terms"]) expectSound(await (await visitor.get(path)).text(), path);
  });
});

test("what is twice, or has no name, is found", () => {
  expect(repeated(listIds('<a id="x"></a><p class="y" id="x"></p>'))).toEqual(["x"]);
  const twice =
    '<nav></nav><nav></nav><section></section><section aria-label="A"></section><section aria-labelledby="a"><h2 id="a">A</h2>';
  expect(repeated(listLandmarks(twice))).toEqual(["nav ", "section A"]);
});
