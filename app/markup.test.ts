import { afterAll, expect, test } from "vitest";
import { brand } from "../brand.ts";
import { seedAdministrator } from "../tests/support/api/administration.ts";
import { createTestApi, createTestClock } from "../tests/support/api/api.ts";
import { seedFullMember } from "../tests/support/seeds/full-member.ts";
import { createTestDatabase } from "../tests/support/database/test-database.ts";
import { ADMINISTRATION_PAGES, SHOWN_PAGES } from "../tests/support/pages/shown-pages.ts";
import {
  createVisitor,
  describePages,
  listFields,
  readById,
  readText,
  type Visitor,
} from "../tests/support/pages/test-pages.ts";
import { ADMIN_PAGES, hrefOf } from "./administration/pages.ts";

const database = await createTestDatabase();
const clock = createTestClock();
const api = createTestApi(database, { now: clock.now });
afterAll(() => database.close());

const listIds = (html: string) => Array.from(html.matchAll(/<[^>]* id="([^"]*)"/g), ([, id = ""]) => id);

/** Returns each landmark with its name, as screen readers read it: `nav Main`. */
const listLandmarks = (html: string) =>
  Array.from(html.matchAll(/<(nav|aside|section|form)\b([^>]*)>/g), ([, tag = "", attributes = ""]) => {
    const [, label] = / aria-label="([^"]*)"/.exec(attributes) ?? [];
    const [, id] = / aria-labelledby="([^"]*)"/.exec(attributes) ?? [];
    const name = label ?? (id && readById(html, id));
    // A section or a form is a landmark only if it has a name.
    return name === undefined && (tag === "section" || tag === "form") ? [] : [`${tag} ${name ?? ""}`];
  }).flat();

const repeated = (values: string[]) => values.filter((value, index) => values.indexOf(value) !== index);

/** What is not visible: hidden from everyone, or only for screen readers. */
const UNSEEN = /<(\w+)\b[^>]*(?: aria-hidden="true"|class="[^"]*\bsr-only\b)[^>]*>.*?<\/\1>/gs;

/**
 * Returns the links and buttons without a name, or whose name lacks the words that are visible in them (WCAG 2.5.3).
 */
const listMisnamed = (html: string) =>
  Array.from(html.matchAll(/<(a|button)\b([^>]*)>(.*?)<\/\1>/gs), ([, tag = "", attributes = "", content = ""]) => {
    const [, label] = / aria-label="([^"]*)"/.exec(attributes) ?? [];
    const name = readText(label ?? content.replaceAll(/<svg\b.*?<\/svg>/gs, "")).trim();
    const seen = readText(content.replaceAll(UNSEEN, "")).trim();
    return name && name.toLowerCase().includes(seen.toLowerCase()) ? [] : [`${tag} ${name || attributes}`];
  }).flat();

/** Returns each heading with its words, as screen readers list it. */
const listHeadings = (html: string) =>
  Array.from(
    html.matchAll(/<(h[1-6])\b[^>]*>(.*?)<\/\1>/gs),
    ([, tag = "", words = ""]) => `${tag} ${readText(words).trim()}`,
  );

/**
 * Words that make sense only to readers who see where something is, or its colour or shape (WCAG 1.3.3). The top of a
 * page is its beginning to everyone, and the right network is not a place.
 */
const BY_SIGHT =
  /\b(?:(?:on|to|at) the (?:left|right(?=[.,;:!?)]| of\b| side\b))|(?:left|right)-hand|(?:green|red|blue|grey|round|square) (?:button|dot|icon|box|link))\b/gi;

/** The only picture that is loaded apart from those of members and of links. The text beside it says the same. */
const PICTURE = /^\/share\/[^/]+\/qr\.svg$/;

const listPictures = (html: string) =>
  Array.from(html.matchAll(/<img\b[^>]* src="([^"]*)"/g), ([, src = ""]) => src).filter((src) => !PICTURE.test(src));

/**
 * Returns the fields for passwords that show what is typed, or do not tell a password manager which password to fill
 * in.
 */
const listOpenPasswords = (html: string) =>
  listFields(html).flatMap(({ autoComplete = "", name = "", type }) =>
    (type === "password" || /password/i.test(name)) &&
    !(type === "password" && /^(?:current|new)-password$/.test(autoComplete))
      ? [name]
      : [],
  );

/** Elements that the HTML standard has dropped, or that load what is not part of a page. */
const OUTDATED = /<(?:applet|embed|frame|frameset|marquee|object|font|center)\b/g;

/** Returns what is wrong with a page for a reader who hears it, has only its words, or lets a password manager type. */
const findFaultsOfWords = (html: string, path: string) => [
  ...listMisnamed(html).map((name) => `${path} has a control that is not called what is seen: ${name}`),
  ...repeated(listHeadings(html)).map((heading) => `${path} has the heading ${heading} twice`),
  ...listHeadings(html).flatMap((heading) => (/^h. ./.test(heading) ? [] : [`${path} has an empty ${heading}`])),
  ...Array.from(readText(html).matchAll(BY_SIGHT), ([words]) => `${path} says ${words}`),
  ...listPictures(html).map((src) => `${path} has the picture ${src}`),
  ...listOpenPasswords(html).map((name) => `${path} has the open password ${name}`),
  ...Array.from(html.matchAll(OUTDATED), ([tag]) => `${path} has ${tag}`),
];

/**
 * Returns what is wrong with a page: repeated ids or landmarks, not exactly one main, no link to help, or no
 * description of itself.
 */
const findFaults = (html: string, path: string, { ok }: { ok: boolean }) => [
  ...repeated(listIds(html)).map((id) => `${path} has the id ${id} twice`),
  ...repeated(listLandmarks(html)).map((landmark) => `${path} has the landmark ${landmark} twice`),
  ...(html.match(/<main\b/g)?.length === 1 ? [] : [`${path} has not one main`]),
  // An address without a page has only the way back. The questions are for members, not for administrators.
  ...(!ok || path.startsWith("/admin") || /<a [^>]*href="\/faqs"/.test(html) ? [] : [`${path} leads to no help`]),
  ...(/<meta name="description" content="[^"]+"/.test(html) ? [] : [`${path} does not describe itself`]),
  ...findFaultsOfWords(html, path),
];

/** Returns the links around the pages that have several names for one address, except for the logo (WCAG 3.2.4). */
function listRenamed(pages: string[]): string[] {
  const links = pages.flatMap((html) =>
    Array.from(
      html.replace(/<main\b.*<\/main>/s, "").matchAll(/<a\b[^>]* href="([^"]*)"[^>]*>(.*?)<\/a>/gs),
      ([, href = "", content = ""]) => `${href} is called ${readText(content).trim()}`,
    ),
  );
  const named = [...new Set(links)].filter((link) => !link.endsWith(` ${brand.name}`)).sort();
  const addresses = named.map((link) => link.split(" ")[0] ?? "");
  return named.filter((_, index) => repeated(addresses).includes(addresses[index] ?? ""));
}

/** The pages of the administration have a frame with links of their own. */
const MEMBER_PAGES = SHOWN_PAGES.filter((path) => !path.startsWith("/admin"));

/** Returns what is wrong with the pages that a visitor is shown, and which those are. The others redirect them. */
async function lookAtAll(visitor: Visitor, paths = MEMBER_PAGES) {
  const [shown, faults, seen]: [string[], string[], string[]] = [[], [], []];
  for (const path of paths) {
    const response = await visitor.get(path);
    if (response.headers.has("Location")) continue;
    shown.push(path);
    const html = await response.text();
    seen.push(html);
    faults.push(...findFaults(html, path, response));
  }
  return { shown, faults: [...faults, ...listRenamed(seen)] };
}

describePages(database, api, ({ pages }) => {
  test("every page has one main, unique ids and landmarks, a link to help and a description", async () => {
    const visitor = createVisitor(pages);
    const { shown, faults } = await lookAtAll(visitor);
    const { token, user } = await seedFullMember(api, clock);
    await visitor.begin({ accessToken: token, userId: user.id });
    const asMember = await lookAtAll(visitor);
    const administrator = await seedAdministrator(api.deps);
    await visitor.begin({ accessToken: administrator.token, userId: administrator.user.id });
    const asAdministrator = await lookAtAll(visitor, [...ADMINISTRATION_PAGES, "/admin/no-such-page"]);
    expect([...faults, ...asMember.faults, ...asAdministrator.faults]).toEqual([]);
    expect(asAdministrator.shown).toEqual([...ADMINISTRATION_PAGES, "/admin/no-such-page"]);
    const withoutId = ADMIN_PAGES.map(hrefOf).filter((path) => !path.includes(":"));
    expect(ADMINISTRATION_PAGES).toEqual(expect.arrayContaining(withoutId));
    expect(shown).toEqual(expect.arrayContaining(["/auth", "/auth/signup", "/faqs"]));
    expect(asMember.shown).toEqual(expect.arrayContaining(["/dashboard", "/profile", "/profile/delete", "/faqs"]));
  });
});

test("finds duplicate ids, landmarks and mains, and a missing help link or description", () => {
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

test("finds misnamed controls, bad headings, directions by sight, pictures and visible passwords", () => {
  const page = `<h2></h2><h3>Days</h3><h3>Days</h3>
    <button aria-label="Send">Post</button><a href="/x"><svg aria-hidden="true"><path></path></svg></a>
    <button aria-label="Dates: All dates">All dates</button><a href="/y">Copy<span class="sr-only"> it</span></a>
    <p>Press the green button on the left. Switch to the right network at the top of any page.</p>
    <img alt="" src="/words.png"><img alt="QR code" src="/share/AB1/qr.svg">
    <input name="password" type="text" autoComplete="new-password"/><input name="other" type="password"/>
    <input name="currentPassword" type="password" autoComplete="current-password"/><marquee></marquee>`;
  expect(findFaultsOfWords(page, "/x")).toEqual([
    "/x has a control that is not called what is seen: button Send",
    '/x has a control that is not called what is seen: a  href="/x"',
    "/x has the heading h3 Days twice",
    "/x has an empty h2 ",
    "/x says green button",
    "/x says on the left",
    "/x has the picture /words.png",
    "/x has the open password password",
    "/x has the open password other",
    "/x has <marquee",
  ]);
});

const pageWith = (word: string) => `<a href="/"> ${brand.name}</a><a class="y" href="/faqs"><b>${word}</b></a>
  <main><a href="/faqs">the questions</a></main><a href="/">Home</a>`;

test("finds links to one page under two names, except in the logo and in the main content", () => {
  expect(listRenamed([pageWith("Help"), pageWith("Help")])).toEqual([]);
  expect(listRenamed([pageWith("Help"), pageWith("Questions")])).toEqual([
    "/faqs is called Help",
    "/faqs is called Questions",
  ]);
});
