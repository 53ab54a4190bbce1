import { afterAll, expect, test } from "vitest";
import { seedAdministrator } from "../tests/support/administration.ts";
import { createTestApi, createTestClock } from "../tests/support/api.ts";
import { seedFullMember } from "../tests/support/full-member.ts";
import { createTestDatabase } from "../tests/support/test-database.ts";
import { ADMINISTRATION_PAGES, SHOWN_PAGES } from "../tests/support/shown-pages.ts";
import { createVisitor, describePages, readById, type Visitor } from "../tests/support/test-pages.ts";
import { ADMIN_PAGES, hrefOf } from "./administration/pages.ts";

const database = await createTestDatabase();
const clock = createTestClock();
const api = createTestApi(database, { now: clock.now });
afterAll(() => database.close());

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

/**
 * What is wrong with a page: ids and landmarks that are there twice, any number of mains but one, no link to help, and
 * no description of itself.
 */
const findFaults = (html: string, path: string, { ok }: { ok: boolean }) => [
  ...repeated(listIds(html)).map((id) => `${path} has the id ${id} twice`),
  ...repeated(listLandmarks(html)).map((landmark) => `${path} has the landmark ${landmark} twice`),
  ...(html.match(/<main\b/g)?.length === 1 ? [] : [`${path} has not one main`]),
  // Where there is no page, the way back is all that there is. The questions are members', not administrators'.
  ...(!ok || path.startsWith("/admin") || /<a [^>]*href="\/faqs"/.test(html) ? [] : [`${path} leads to no help`]),
  ...(/<meta name="description" content="[^"]+"/.test(html) ? [] : [`${path} does not describe itself`]),
];

/** What is wrong with the pages that a visitor is shown, and which those are: from others they are led elsewhere. */
async function lookAtAll(visitor: Visitor, paths = SHOWN_PAGES) {
  const [shown, faults]: [string[], string[]] = [[], []];
  for (const path of paths) {
    const response = await visitor.get(path);
    if (response.headers.has("Location")) continue;
    shown.push(path);
    faults.push(...findFaults(await response.text(), path, response));
  }
  return { shown, faults };
}

describePages(database, api, ({ pages }) => {
  test("every page has one main, no id twice, landmarks that their names tell apart, a way to help and a description", async () => {
    const visitor = createVisitor(pages);
    const { shown, faults } = await lookAtAll(visitor);
    const { token, user } = await seedFullMember(api, clock);
    await visitor.begin({ accessToken: token, userId: user.id });
    const asMember = await lookAtAll(visitor);
    const administrator = await seedAdministrator(api.deps);
    await visitor.begin({ accessToken: administrator.token, userId: administrator.user.id });
    const asAdministrator = await lookAtAll(visitor, ADMINISTRATION_PAGES);
    expect([...faults, ...asMember.faults, ...asAdministrator.faults]).toEqual([]);
    expect(asAdministrator.shown).toEqual(ADMINISTRATION_PAGES);
    const withoutId = ADMIN_PAGES.map(hrefOf).filter((path) => !path.includes(":"));
    expect(ADMINISTRATION_PAGES).toEqual(expect.arrayContaining(withoutId));
    expect(shown).toEqual(expect.arrayContaining(["/auth", "/auth/signup", "/faqs"]));
    expect(asMember.shown).toEqual(expect.arrayContaining(["/dashboard", "/profile", "/profile/delete", "/faqs"]));
  });
});

test("what is twice, or not there, is found", () => {
  const page =
    '<nav></nav><nav></nav><section></section><section aria-label="A"></section><section aria-labelledby="a">';
  expect(findFaults(`${page}<h2 id="a">A</h2><p class="y" id="a"><main><main>`, "/x", { ok: true })).toEqual([
    "/x has the id a twice",
    "/x has the landmark nav  twice",
    "/x has the landmark section A twice",
    "/x has not one main",
    "/x leads to no help",
    "/x does not describe itself",
  ]);
});
