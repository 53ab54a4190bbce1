import { afterAll, expect, test } from "vitest";
import { createTestApi } from "../tests/support/api/api.ts";
import { createServerBuild } from "../tests/support/servers/server-build.ts";
import { createTestDatabase } from "../tests/support/database/test-database.ts";
import {
  createVisitor,
  describePagesOver,
  readPage,
  TRANSPORTS,
  type Visitor,
} from "../tests/support/pages/test-pages.ts";
import type { Read } from "./cache/read.ts";
import { PAGES } from "./pages.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

const { routes } = createServerBuild();
/** The routes that show something. The others answer with data or redirect. */
const SHOWN = Object.values(routes).flatMap((route) => (route?.parentId && route.module.default ? [route] : []));

const listParents = (id: string | undefined): string[] => {
  const parentId = id === undefined ? undefined : routes[id]?.parentId;
  return parentId === undefined ? [] : [parentId, ...listParents(parentId)];
};

test("every page in the shell has a description with the path of its route", () => {
  const paths = SHOWN.flatMap(({ parentId, path }) => (parentId === "shell" ? [`/${path}`] : []));
  expect(PAGES.map(({ path }) => path).toSorted()).toEqual(paths.toSorted());
});

// specification: 2.23
test("exactly the routes with auth in their id use the frame without a sidebar", () => {
  const frame = "auth/auth-frame.route";
  const isFramed = ({ id }: { id: string }) => id === frame || listParents(id).includes(frame);
  const ids = (some: typeof SHOWN) => some.map(({ id }) => id);
  expect(ids(SHOWN.filter(isFramed)).length).toBeGreaterThan(6);
  expect(ids(SHOWN.filter(isFramed))).toEqual(ids(SHOWN.filter(({ id }) => id.includes("auth"))));
});

/** Titles of documents as they have always been (product specification, section 2); the header says the same. */
const TITLES: [path: string, title: string][] = [
  ["/dashboard", "Dashboard"],
  ["/agentinsights", "Agent Insights"],
  ["/rewards", "Rewards"],
  ["/referrals", "Your Referrals"],
  ["/profile", "Profile"],
  ["/profile/email", "Change email"],
  ["/profile/delete", "Delete account"],
  ["/faqs", "Help &amp; FAQs"],
  ["/faqs/", "Help &amp; FAQs"],
  ["/node-mail", "Node Mail"],
  ["/campaign-mail", "Campaign Mail"],
  ["/terms", "Terms of Service"],
  ["/terms/1", "Terms of Service"],
  ["/privacy", "Privacy Policy"],
  ["/privacy/1", "Privacy Policy"],
];

/** The titles where the specification names another one, or where the path alone would say too little. */
const NAMED: Record<string, string> = {
  faqs: "Help & FAQs",
  referrals: "Your Referrals",
  agentinsights: "Agent Insights",
  terms: "Terms of Service",
  privacy: "Privacy Policy",
  email: "Change email",
  delete: "Delete account",
};

// specification: 2.35, 2.36
test("a page's title is the last part of its path with spaces for dashes, unless listed here", () => {
  const ruled = PAGES.map(({ path }) => {
    const part = path.replace("/:version?", "").split("/").at(-1) ?? "";
    const words = part.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
    return NAMED[part] ?? words.join(" ");
  });
  expect(PAGES.map(({ title }) => title)).toEqual(ruled);
});

const readTitles = (html: string) => html.slice(0, html.indexOf("</head>")).match(/<title>[^<]*<\/title>/g);
const MEMBERS_PAGES = PAGES.flatMap((page) => (page.audience === "member" ? [page] : []));

/** Reads as the browser does, through the read proxy. */
const readAs =
  (visitor: Visitor): Read =>
  async ({ path }, query) => {
    const params = Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]));
    const response = await visitor.get(`/read/${path}?${new URLSearchParams(params)}`);
    expect([path, response.status]).toEqual([path, 200]);
    return response.json();
  };

describePagesOver(TRANSPORTS, database, api, ({ pages, visitMember }) => {
  // specification: 2.35, 2.36
  test.each(TITLES)("the header and the document of %s have the title %s", async (path, title) => {
    const { visitor } = await visitMember();
    const { html } = await readPage(visitor, path);
    expect(readTitles(html)).toEqual([`<title>${title} · Nodebeat</title>`]);
    expect(html).toContain(`>${title}</h1>`);
    expect(html).toContain('<nav aria-label="Main"');
    expect(html).not.toContain('<nav aria-label="Community"');
  });

  // specification: 2.24
  test.each([
    ["/auth", "Sign in"],
    ["/auth/signup", "Create an account"],
    ["/auth/verify", "Confirm your email"],
    ["/auth/forgot-password", "Forgot password"],
    ["/auth/logout", "Log out"],
  ])("%s has the slim header, and the title %s", async (path, title) => {
    const { html } = await readPage(createVisitor(pages), path);
    expect(readTitles(html)).toEqual([`<title>${title} · Nodebeat</title>`]);
    expect(html).toContain('<nav aria-label="Community"');
    expect(html).toContain(">Get started<");
    expect(html).not.toContain('<nav aria-label="Main"');
  });

  // specification: 6.1
  test("only the FAQs, the sign-in pages and a few pages of ours are open to visitors", async () => {
    const open = PAGES.flatMap(({ audience, path }) => (audience === "anyone" ? [path] : []));
    expect(open).toEqual([
      "/faqs",
      "/node-mail",
      "/campaign-mail",
      "/terms/:version?",
      "/privacy/:version?",
      "/status",
    ]);
    const auth = ["/auth", "/auth/signup", "/auth/verify", "/auth/forgot-password"];
    for (const path of ["/faqs", ...auth]) {
      expect([path, (await createVisitor(pages).get(path)).status]).toEqual([path, 200]);
    }
    for (const path of ["/dashboard", "/agentinsights", "/rewards", "/referrals", "/profile"]) {
      const response = await createVisitor(pages).get(path);
      expect([path, response.status, response.headers.get("Location")]).toEqual([
        path,
        302,
        expect.stringMatching(/^\/auth/),
      ]);
    }
  });

  // specification: 6.1, 6.2
  test("a visitor sees the public pages and is redirected from the members' pages", async () => {
    for (const { path, audience } of PAGES) {
      const response = await createVisitor(pages).get(path.replace("/:version?", ""));
      expect([path, response.status]).toEqual([path, audience === "anyone" ? 200 : 302]);
    }
  });

  // specification: 2.12, 2.15
  test.each(MEMBERS_PAGES)(
    "the reads of $path work through the read proxy, and its loader makes the same calls",
    async (page) => {
      const { visitor } = await visitMember();
      const list = page.reads(readAs(visitor), new URLSearchParams());
      const { signal } = new AbortController();
      for (const { queryFn } of list) await queryFn({ signal });
      const byIntent = new Set(pages.calls.splice(0));

      await visitor.get(page.path);
      expect(byIntent.size).toBeGreaterThan(0);
      expect([...byIntent].filter((call) => !pages.calls.includes(call))).toEqual([]);
    },
  );
});
