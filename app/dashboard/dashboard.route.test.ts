import { afterAll, expect, test } from "vitest";
import { createTestApi, createTestClock } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { describePages, findField, readDescription, readPage } from "../../tests/support/pages/test-pages.ts";
import { readContentPointsHistory } from "../../server/agent-insights/contract.ts";
import { inTransaction } from "../../server/db/transaction.ts";
import {
  readPointsLog,
  readPointsLogDetail,
  type PointsCategory,
  type PointsLogDetail,
} from "../../server/points/contract.ts";
import { postPoints } from "../../server/points/service.ts";
import { readUser } from "../../server/profile/contract.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

const database = await createTestDatabase();
const clock = createTestClock("2026-11-20T12:00:00.000Z");
const api = createTestApi(database, { now: clock.now });
afterAll(() => database.close());

/** Returns a time of today. */
const at = (time: string) => `2026-11-20T${time}:00.000Z`;

/** Posts one entry a day, going back from today. */
async function post(userId: string, count: number, category: PointsCategory, points: number) {
  const entries = Array.from({ length: count }, (_, daysAgo) => ({
    userId,
    rule: { source: "test", rule: "test", version: 1, category },
    sourceId: `${category}-${daysAgo}`,
    points,
    comment: `${category} ${daysAgo} days ago`,
    occurredAt: new Date(clock.now().getTime() - daysAgo * DAY_MS),
  }));
  await inTransaction(database.db, (tx) => postPoints(tx, entries));
}

describePages(database, api, ({ pages, visitMember }) => {
  // specification: 2.10
  test("the dashboard is complete without a script", async () => {
    const { visitor, user } = await visitMember();
    await post(user.id, 12, "Connectivity", 25.5);
    await post(user.id, 2, "Rewards", 1000);

    const { status, html, text } = await readPage(visitor, "/dashboard");

    expect(status).toBe(200);
    // 12 × 25,5 + 2 × 1.000, today 25,5 + 1.000.
    expect(text).toContain("Total points 2.306");
    expect(text).toContain("+1.025,5 today");
    expect(text).toContain("Points, last 7 days");
    expect(text).toContain("1–10 of 14");
    expect(text).toContain("Rewards 0 days ago");
    expect(text).not.toContain("Connectivity 11 days ago");
    expect(html).toContain(`value="http://nodebeat.test/auth/signup?referralCode=${user.personal_code}"`);
    expect(text).toContain("No content yet");
    expect(text).not.toContain("while loading this part");
    expect(pages.reportError).not.toHaveBeenCalled();
  });

  // specification: 4.9
  test("calls each endpoint of the API once", async () => {
    const { visitor } = await visitMember();
    await visitor.get("/dashboard");
    expect(pages.calls.toSorted()).toEqual([
      "GET /api/peaq/did-status",
      "GET /api/peaq/smart-account-exists",
      "GET /api/points/rules",
      "GET /api/user",
      "GET /api/users/content-points-history",
      "GET /api/users/is-whitelisted",
      "GET /api/users/isppaccepted",
      "GET /api/users/istosaccepted",
      "GET /api/users/points-history",
      "GET /api/users/points-log",
      "GET /api/users/stats",
      "GET /api/users/user-onboarded",
    ]);
  });

  test("pages and filters the log by its address", async () => {
    const { visitor, user } = await visitMember();
    await post(user.id, 12, "Connectivity", 25);
    await post(user.id, 3, "Rewards", 100);

    const second = await readPage(visitor, "/dashboard?page=2");
    expect(second.text).toContain("11–15 of 15");
    expect(second.text).toContain("Connectivity 11 days ago");

    const rewards = await readPage(visitor, "/dashboard?category=Rewards&range=30");
    expect(rewards.text).toContain("1–3 of 3");
    expect(rewards.text).toContain("Points, last 30 days");
    expect(findField(rewards.html, "range")).toMatchObject({ type: "hidden", value: "30" });
    expect(rewards.html).toContain('href="/dashboard?range=90&amp;category=Rewards"');

    const dates = await readPage(visitor, "/dashboard?startDate=2026-11-18&endDate=2026-11-19");
    expect(dates.text).toContain("1–4 of 4");
    expect(dates.text).not.toContain("Connectivity 0 days ago");
  });

  test("an invalid address still shows the dashboard, and says what was ignored", async () => {
    const { visitor, user } = await visitMember();
    await post(user.id, 12, "Connectivity", 25);
    const { status, text } = await readPage(
      visitor,
      "/dashboard?page=-1&range=x&category=%27&startDate=0&endDate=9999999-99-99&a[]=1",
    );
    expect(status).toBe(200);
    expect(text).toContain("That is not a page number. Showing page 1.");
    expect(text).toContain("1–10 of 12");
  });

  test("keeps wrong dates as they were typed, and says what is wrong with them", async () => {
    const { visitor } = await visitMember();
    const wrong = await readPage(visitor, "/dashboard?startDate=20.11.2026&endDate=2026-11-20");
    expect(findField(wrong.html, "startDate")).toMatchObject({ type: "text", value: "20.11.2026" });
    expect(findField(wrong.html, "endDate")).toMatchObject({ type: "date", value: "2026-11-20" });
    expect(wrong.html).toMatch(/role="alert"[^>]*>Use a date such as 2026-11-20\. This one was left out\./);
    const described = readDescription(wrong.html, "startDate");
    expect(described).toContain("Use a date such as 2026-11-20. This one was left out.");
    expect(readDescription(wrong.html, "endDate")).toBe("");
    expect(wrong.html).not.toContain('id="points-log-dates"');

    const turned = await readPage(visitor, "/dashboard?startDate=2026-11-20&endDate=2026-11-01");
    expect(findField(turned.html, "startDate")).toMatchObject({ type: "date", value: "2026-11-20" });
    expect(findField(turned.html, "endDate")).toMatchObject({ type: "date", value: "2026-11-01" });
    expect(turned.text).toContain("From This is after the last date. Showing all dates. To");
    expect(readDescription(turned.html, "startDate")).toContain("This is after the last date. Showing all dates.");
  });

  test("shows the sum of the filtered rows, and offers them as a file", async () => {
    const { visitor, user } = await visitMember();
    await post(user.id, 12, "Connectivity", 25);
    await post(user.id, 3, "Rewards", 100.5);
    const { html, text } = await readPage(visitor, "/dashboard?category=Rewards&startDate=2026-11-19&range=30");
    expect(text).toContain("1–2 of 2 Sum +201 Download as CSV");
    expect(html).toContain('href="/points/export?category=Rewards&amp;startDate=2026-11-19"');
  });

  test("a row opens at its own address and closes again, even without a script", async () => {
    const { visitor, user } = await visitMember();
    await post(user.id, 12, "Connectivity", 25);
    const closed = await readPage(visitor, "/dashboard?page=2");
    const [, href = ""] = /<a [^>]*href="([^"]+)"[^>]*aria-expanded="false"/.exec(closed.html) ?? [];
    expect(href).toMatch(/^\/dashboard\?page=2&amp;entry=[\w-]+#entry-[\w-]+$/);

    const { html, text } = await readPage(visitor, href.replaceAll("&amp;", "&"));

    expect(text).toContain("Rule This rule is no longer in use.");
    // Only in the title, for those who look for it.
    expect(text).not.toContain("version 1");
    expect(html).toContain('title="test, version 1"');
    expect(text).toContain("New total 50 points, 50 of them from Connectivity");
    expect(html).toMatch(/<a [^>]*href="\/dashboard\?page=2#entry-[^>]*aria-expanded="true"/);
    expect(html).toContain(`id="${href.split("#")[1]}"`);
    expect(pages.calls.filter((call) => call.includes("/api/users/points-log"))).toHaveLength(3);
  });

  test("an open entry says what happened and when, and links to the page of its source", async () => {
    const { visitor } = await visitMember();
    const id = "01890000-0000-7000-8000-000000000001";
    const detail: PointsLogDetail = {
      id,
      category: "Connectivity",
      points: 25,
      comment: "Heartbeat",
      timestamp: at("11:00"),
      postedAt: at("12:00"),
      source: { kind: "heartbeat", id: "beat", title: "A heartbeat", name: "attic", occurredAt: at("10:00") },
      rule: { name: "heartbeat", version: 1, text: "25 points for each.", points: 25 },
      runningTotal: 50,
      categoryTotal: 20,
    };
    const show = (shown: PointsLogDetail) =>
      pages.override({ ...readPointsLogDetail, path: `/api/users/points-log/${id}` }, () => Response.json(shown));
    show(detail);
    const { html, text } = await readPage(visitor, `/dashboard?range=30&entry=${id}`);
    expect(text).toContain("Event A heartbeat: attic · Your machines Happened 20 Nov 2026, 10:00 UTC , claimed");
    expect(text).toContain(", claimed 20 Nov 2026, 11:00 UTC , posted 20 Nov 2026, 12:00 UTC Rule 25 points for each.");
    expect(text).toContain("New total 50 points, 20 of them from Connectivity");
    expect(html).toMatch(/<a href="\/profile#devices"[^>]*>Your machines/);
    show({ ...detail, runningTotal: 1, categoryTotal: 1 });
    expect((await readPage(visitor, `/dashboard?entry=${id}`)).text).toContain("New total 1 point, 1 of them from");
    // If everything happened within a minute, only one time is shown.
    show({ ...detail, timestamp: at("10:00").replace(":00.", ":20."), postedAt: at("10:00").replace(":00.", ":40.") });
    const { text: quick } = await readPage(visitor, `/dashboard?range=30&entry=${id}`);
    expect(quick).toContain("Happened 20 Nov 2026, 10:00 UTC Rule");
  });

  test("an entry on another page of the log opens above the table", async () => {
    const { visitor, user } = await visitMember();
    await post(user.id, 12, "Connectivity", 25);
    const { html } = await readPage(visitor, "/dashboard?page=2");
    const [, id = ""] = /id="entry-([\w-]+)"/.exec(html) ?? [];

    const first = await readPage(visitor, `/dashboard?entry=${id}`);

    expect(first.text).toContain("New total 50 points");
    expect(first.html.indexOf("New total")).toBeLessThan(
      first.html.indexOf("<table", first.html.indexOf("Points log")),
    );
    expect(first.html).toMatch(/<a href="\/dashboard"[^>]*>Close<\/a>/);
  });

  test("another member's entry is not found", async () => {
    const [other, { visitor, user }] = [await visitMember(), await visitMember()];
    await post(other.user.id, 1, "Rewards", 100);
    await post(user.id, 1, "Connectivity", 25);
    const { html } = await readPage(other.visitor, "/dashboard");
    const [, id = ""] = /id="entry-([\w-]+)"/.exec(html) ?? [];

    const { status, text } = await readPage(visitor, `/dashboard?entry=${id}`);

    expect(status).toBe(200);
    expect(text).toContain("There is no such entry in your points log.");
    expect(text).not.toContain("New total");
  });

  test("if an entry's details fail to load, the rest of the page shows, and they can be retried", async () => {
    const { visitor, user } = await visitMember();
    await post(user.id, 1, "Connectivity", 25);
    const id = /id="entry-([\w-]+)"/.exec((await readPage(visitor, "/dashboard")).html)?.[1] ?? "";
    pages.override({ method: "GET", path: `/api/users/points-log/${id}` }, () => Response.error());
    const { html, text } = await readPage(visitor, `/dashboard?entry=${id}`);
    expect(text).toContain("Something went wrong while loading this part. Try again");
    expect(html).toContain(`<a href="/dashboard?entry=${id}"`);
    expect(text).toContain("1–1 of 1");
  });

  test("rows without IDs do not open, and are not offered as a file", async () => {
    const { visitor } = await visitMember();
    const entry = { category: "Rewards", points: 5, comment: "A row", timestamp: "2026-11-20T10:00:00.000Z" };
    pages.override(readPointsLog, () => Response.json({ data: [entry], total: 1 }));
    const { html, text } = await readPage(visitor, "/dashboard");
    expect(text).toContain("A row");
    expect(html).not.toContain("entry=");
    expect(text).toContain("1–1 of 1 Previous Next");
    expect(text).not.toContain("Download as CSV");
  });

  test.each(["3", "999999999999999999999"])(
    "page %s of a log with two pages shows the last page, and says so",
    async (page) => {
      const { visitor, user } = await visitMember();
      await post(user.id, 12, "Connectivity", 25);
      const { status, text } = await readPage(visitor, `/dashboard?page=${page}`);
      expect(status).toBe(200);
      expect(text).toContain("The points log ends at page 2. Showing that page.");
      expect(text).toContain("11–12 of 12");
    },
  );

  test("formats the number of a last page in the thousands", async () => {
    const { visitor } = await visitMember();
    pages.override(readPointsLog, () => Response.json({ data: [], total: 21_930 }));
    expect((await readPage(visitor, "/dashboard?page=9999")).text).toContain("The points log ends at page 2.193.");
  });

  test("if the API fails, the page shows an error with the request ID and a way to retry", async () => {
    const { visitor } = await visitMember();
    pages.override("everything", () => Response.json({ message: "Oops", error: "INTERNAL_ERROR" }, { status: 500 }));
    const { status, text } = await readPage(visitor, "/dashboard");
    expect(status).toBe(500);
    expect(text).toContain("Something went wrong, please try again!");
    expect(text).toContain("Try again");
    expect(text).toContain("Request request-1");
  });

  test("shows the rest of the page if one part fails to load", async () => {
    const { visitor, user } = await visitMember();
    await post(user.id, 2, "Connectivity", 25);
    pages.override(readContentPointsHistory, () => Response.error());
    const { status, text } = await readPage(visitor, "/dashboard");
    expect(status).toBe(200);
    expect(text).toContain("1–2 of 2");
    expect(text.match(/Something went wrong while loading this part/g)).toHaveLength(1);
  });

  // specification: 5.23, 8.10
  test("logs responses that break their contracts, and still shows the page", async () => {
    const { visitor } = await visitMember();
    pages.override(readUser, () => Response.json({ id: "u1" }));
    const { status } = await readPage(visitor, "/dashboard");
    expect(status).toBe(200);
    expect(pages.log.error).toHaveBeenCalledWith(
      expect.objectContaining({ endpoint: "GET /api/user" }),
      "Parsed error",
    );
  });
});
