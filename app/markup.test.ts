import { afterAll, expect, test } from "vitest";
import { createTestApi, createTestClock } from "../tests/support/api.ts";
import { seedFullMember } from "../tests/support/full-member.ts";
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

/** What is wrong with a page: ids and landmarks that are there twice, and any number of mains but one. */
const findFaults = (html: string, path: string) => [
  ...repeated(listIds(html)).map((id) => `${path} has the id ${id} twice`),
  ...repeated(listLandmarks(html)).map((landmark) => `${path} has the landmark ${landmark} twice`),
  ...(html.match(/<main\b/g)?.length === 1 ? [] : [`${path} has not one main`]),
];

describePages(database, api, ({ pages }) => {
  test("every page has one main, no id twice, and landmarks that their names tell apart", async () => {
    const visitor = createVisitor(pages);
    const look = async (path: string) => findFaults(await (await visitor.get(path)).text(), path);
    const faults = [];
    for (const path of VISITORS) faults.push(...(await look(path)));
    const { token, user } = await seedFullMember(api, clock);
    await visitor.begin({ accessToken: token, userId: user.id });
    for (const path of [...MEMBERS, "/faqs", "/terms"]) faults.push(...(await look(path)));
    expect(faults).toEqual([]);
  });
});

test("what is twice is found", () => {
  const page =
    '<nav></nav><nav></nav><section></section><section aria-label="A"></section><section aria-labelledby="a">';
  expect(findFaults(`${page}<h2 id="a">A</h2><p class="y" id="a"><main><main>`, "/x")).toEqual([
    "/x has the id a twice",
    "/x has the landmark nav  twice",
    "/x has the landmark section A twice",
    "/x has not one main",
  ]);
});
