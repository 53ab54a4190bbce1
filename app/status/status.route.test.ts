import { afterAll, expect, test } from "vitest";
import { BY_OPERATOR } from "../../tests/support/api/administration.ts";
import { createTestApi, createTestClock, SILENT } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { createVisitor, describePages, readPage } from "../../tests/support/pages/test-pages.ts";
import { createMetrics } from "../../server/metrics/metrics.ts";
import { createBoard } from "../../server/status/board.ts";
import { PartId } from "../../server/status/contract.ts";
import { openIncident, resolveIncident } from "../../server/status/incidents.ts";
import { createSampler } from "../../server/status/sampler.ts";

const MINUTE = 60_000;

const database = await createTestDatabase();
const clock = createTestClock();
const metrics = createMetrics();
const status = createBoard({ now: clock.now });
const api = createTestApi(database, { now: clock.now, metrics, status });
const process = { db: database.db, log: SILENT, metrics, now: clock.now, status };
afterAll(() => database.close());

/** Measures for a minute, in a process that has just started. */
async function look({ chain = 1, readOnly = 0 } = {}) {
  const sampler = createSampler(process, { figures: async () => {}, parts: PartId.options });
  metrics.ready.set({ part: "database" }, 1 - readOnly);
  metrics.readOnly.set(readOnly);
  metrics.ready.set({ part: "chain" }, chain);
  await sampler.tick();
  clock.advance(MINUTE);
  await sampler.tick();
}

const NOTICE = /<body><aside class="status-notice"[^>]*><form action="\/status">(.*?)<\/form><\/aside>/;

describePages(
  database,
  api,
  ({ pages, visitMember }) => {
    test("shows everyone the state and the history of each part, in words and in bars", async () => {
      await look();
      const { html, status: code, text } = await readPage(createVisitor(pages), "/status");
      expect(code).toBe(200);
      expect(text).toContain("Everything works");
      expect(text).toContain("Parts, last 90 days");
      for (const name of ["API", "Database", "Heartbeats", "Chain", "Email"])
        expect(text).toContain(`Day by day ${name}`);
      expect(html).toMatch(/ aria-label="Database, the last 90 days" aria-describedby="([^"]+)".*<p id="\1">/s);
      // All bars of a grade are one element, in addition to the one in the legend.
      expect(html.match(/<path d="[^"]*" class="fill-good"/g)).toHaveLength(6);
      expect(text).toContain("20 Nov: up all the time 23 Aug to 19 Nov: not measured");
      expect(text).toContain("20 Nov 2026, 12:0");
      expect(html).not.toMatch(NOTICE);
    });

    test("shows an outage on the status page, and as a line with a button to it on a member's pages", async () => {
      await look({ chain: 0 });
      const { visitor } = await visitMember();
      const page = await readPage(visitor, "/status");
      expect(page.text).toContain("Something is down");
      expect(page.text).toMatch(/20 Nov: (?:.*)down for \d min/);
      expect(page.html).not.toMatch(NOTICE);
      for (const path of ["/dashboard", "/rewards", "/faqs"]) {
        const [, notice] = NOTICE.exec((await readPage(visitor, path)).html) ?? [];
        expect(notice).toBe("Some of Nodebeat is down: Chain. <button>See the status</button>");
      }
      await look();
      expect((await readPage(visitor, "/dashboard")).html).not.toMatch(NOTICE);
    });

    test("while the database is read-only, members are told that they can only read", async () => {
      await look({ readOnly: 1 });
      const { visitor } = await visitMember();
      const sentence = "Everything can be read, but nothing can be changed or recorded right now";
      expect((await readPage(visitor, "/status")).text).toContain(`${sentence}.`);
      const [, notice] = NOTICE.exec((await readPage(visitor, "/dashboard")).html) ?? [];
      expect(notice).toBe(`${sentence}. <button>See the status</button>`);
      await look();
      expect((await readPage(visitor, "/status")).text).not.toContain(sentence);
    });

    test("sign-in, sign-up and FAQs link to the status page", async () => {
      for (const path of ["/auth", "/auth/signup", "/faqs"]) {
        const { html } = await readPage(createVisitor(pages), path);
        expect(html).toMatch(/<nav aria-label="Footer"[^>]*>.*<a [^>]*href="\/status"[^>]*>Status<\/a><\/nav>/);
      }
    });

    test("shows an incident in its own words, with markup escaped", async () => {
      const title = "Mail <b>& more</b> is late";
      const given = { title, text: "First line.\nSecond line.", part: "mail", impact: "degraded" } as const;
      const { id } = await openIncident(api.deps, BY_OPERATOR, given);
      await look();
      const visitor = createVisitor(pages);
      const during = await readPage(visitor, "/status");
      expect(during.text).toContain("Current incidents");
      expect(during.text).toContain("Some things are slow or failing");
      expect(during.text).toMatch(/Email · Slow or failing · from .+, ongoing/);
      const [, notice] = NOTICE.exec((await readPage(visitor, "/faqs")).html) ?? [];
      expect(notice).toContain("Mail &lt;b&gt;&amp; more&lt;/b&gt; is late. ");

      await resolveIncident(api.deps, BY_OPERATOR, { id, text: "All mail has left." });
      await look();
      const after = await readPage(visitor, "/status");
      expect(after.text).not.toContain("Current incidents");
      expect(after.text).toContain("All mail has left.");
      expect((await readPage(visitor, "/faqs")).html).not.toMatch(NOTICE);
    });

    test("sign-in pages do not mention an outage, and the status page calls no API", async () => {
      await look({ chain: 0 });
      expect((await readPage(createVisitor(pages), "/auth")).html).not.toMatch(NOTICE);
      pages.calls.length = 0;
      await readPage(createVisitor(pages), "/status");
      expect(pages.calls).toEqual([]);
    });
  },
  { readStatus: status.report, readNotice: status.notice },
);
